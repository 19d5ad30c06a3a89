/**
 * Reads messages of the Agent Client Protocol, both directions: `{"at", "to" | "from": message}`. A response has only the id of
 * its request: the reader remembers requests until they are answered.
 */
import { listAt, numberAt, textAt, valueAt } from '../base/json-value.ts';
import { jsonOf, textIn, timeOf } from './values.ts';
import { acpToolReader } from './acp-tool.ts';
import { claudeReader } from './claude.ts';
import type { Entry, EntryReader } from './entry.ts';
import { turnUsageText } from './usage-text.ts';
import { codexWait } from './wait-text.ts';

/** Copilot's notice, in its own piece among the agent's words. */
const copilotRetry = /^Info: Request failed [^\n]{0,200}Retrying\.\.\.\s?$/;

export function acpReader(): EntryReader {
  /** Open requests of Divisi, and of the agent. */
  const ours = new Map<string, string>();
  const theirs = new Map<string, unknown>();
  const tools = acpToolReader();
  const native = claudeReader();
  /** Messages so far, of agents that number them. */
  const messages = new Set<string>();

  function sent(message: unknown): readonly Entry[] {
    const [method, id, params] = [textAt(message, 'method'), textAt(message, 'id'), valueAt(message, 'params')];
    if (method === '') return answered(message, id);
    if (id !== '') ours.set(id, method);
    switch (method) {
      case 'session/prompt':
        return [{ kind: 'sent', text: textIn(valueAt(params, 'prompt')) }];
      case 'session/new':
      case 'session/load':
      case 'session/resume':
        tools.worksIn(textAt(params, 'cwd'));
        return method === 'session/new' ? [] : [{ kind: 'note', text: `resumes ${textAt(params, 'sessionId')}` }];
      case 'session/set_mode':
        return [{ kind: 'note', text: `mode ${textAt(params, 'modeId')}` }];
      case 'session/set_config_option':
        return [{ kind: 'note', text: `${textAt(params, 'configId')} ${String(valueAt(params, 'value'))}` }];
      case 'session/cancel':
        return [{ kind: 'note', text: 'Divisi cancelled the turn' }];
      default:
        return [];
    }
  }

  /** Divisi's answer to a request of the agent. */
  function answered(message: unknown, id: string): readonly Entry[] {
    const asked = theirs.get(id);
    theirs.delete(id);
    const outcome = valueAt(message, 'result', 'outcome');
    if (asked === undefined || outcome === undefined) return [];
    const chosen = textAt(outcome, 'optionId');
    const option = listAt(asked, 'options').find((one) => textAt(one, 'optionId') === chosen);
    const granted = textAt(outcome, 'outcome') === 'selected' && textAt(option, 'kind').startsWith('allow');
    return [{ kind: 'answered', granted, how: textAt(option, 'name') || textAt(outcome, 'outcome') }];
  }

  function received(message: unknown): readonly Entry[] {
    const [method, id, params] = [textAt(message, 'method'), textAt(message, 'id'), valueAt(message, 'params')];
    switch (method) {
      case '':
        return response(message, id);
      case 'session/update':
        return update(valueAt(params, 'update'));
      case 'session/request_permission':
        theirs.set(id, params);
        return [{ kind: 'asked', what: tools.nameOf(valueAt(params, 'toolCall')) }];
      case '_claude/sdkMessage': {
        // The agent sends everything else as an update as well.
        const own = native(valueAt(params, 'message'));
        return own.filter(({ kind }) => kind === 'waits');
      }
      default:
        return id === '' ? [] : [{ kind: 'note', text: `the agent asks for ${method}` }];
    }
  }

  function response(message: unknown, id: string): readonly Entry[] {
    const method = ours.get(id) ?? '';
    ours.delete(id);
    const error = valueAt(message, 'error');
    if (error !== undefined) return [{ kind: 'error', text: errorText(method, error) }];
    const result = valueAt(message, 'result');
    if (method === 'initialize') {
      const words = [textAt(result, 'agentInfo', 'title') || textAt(result, 'agentInfo', 'name')];
      words.push(textAt(result, 'agentInfo', 'version'));
      return words[0] === '' ? [] : [{ kind: 'note', text: words.join(' ') }];
    }
    return method === 'session/prompt' ? turnEnded(result) : [];
  }

  function update(one: unknown): readonly Entry[] {
    switch (textAt(one, 'sessionUpdate')) {
      case 'agent_message_chunk': {
        const text = textIn(valueAt(one, 'content'));
        if (copilotRetry.test(text)) return [{ kind: 'waits', text }];
        const id = textAt(one, 'messageId');
        const begun: Entry[] = id === '' || messages.has(id) ? [] : [{ kind: 'answer-begun' }];
        messages.add(id);
        return [...begun, { kind: 'said', text, piece: true }];
      }
      case 'agent_thought_chunk':
        return [{ kind: 'thought', text: textIn(valueAt(one, 'content')), piece: true }];
      case 'tool_call':
      case 'tool_call_update':
        return tools.read(one);
      case 'plan':
        return plan(listAt(one, 'entries'));
      case 'current_mode_update':
        return [{ kind: 'note', text: `mode ${textAt(one, 'currentModeId')}` }];
      case 'notice':
        return [notice(one)];
      case 'compaction_update':
        return [{ kind: 'note', text: `compaction of the conversation: ${textAt(one, 'status')}` }];
      case 'session_info_update':
        return providerErrors(one);
      default:
        return [];
    }
  }

  return (line) => {
    const note = textAt(line, 'note');
    const time = timeOf(valueAt(line, 'at'));
    const all = [...sent(valueAt(line, 'to')), ...received(valueAt(line, 'from'))];
    if (note !== '') all.push({ kind: 'note', text: note });
    return time === undefined ? all : all.map((entry) => ({ at: time, ...entry }));
  };
}

function errorText(method: string, error: unknown): string {
  const more = ['errorKind', 'codexErrorInfo', 'errorName', 'details'].map((name) => textAt(error, 'data', name));
  const words = [method, textAt(error, 'code'), ...more, textAt(error, 'message')];
  return words.filter((word) => word !== '').join(' ');
}

function turnEnded(result: unknown): Entry[] {
  const usage = turnUsageText({
    input:
      numberAt(result, 'usage', 'inputTokens') ?? numberAt(result, '_meta', 'quota', 'token_count', 'input_tokens'),
    cached: numberAt(result, 'usage', 'cachedReadTokens'),
    output:
      numberAt(result, 'usage', 'outputTokens') ?? numberAt(result, '_meta', 'quota', 'token_count', 'output_tokens'),
  });
  const entries: Entry[] = usage === '' ? [] : [{ kind: 'usage', text: usage }];
  const reason = textAt(result, 'stopReason');
  return reason === 'end_turn' ? entries : [...entries, { kind: 'note', text: `the turn ended: ${reason}` }];
}

function plan(entries: readonly unknown[]): Entry[] {
  const done = entries.filter((one) => textAt(one, 'status') === 'completed').length;
  const current = entries.find((one) => textAt(one, 'status') === 'in_progress');
  const now = current === undefined ? '' : `, now: ${textAt(current, 'content')}`;
  return [{ kind: 'note', text: `its plan: ${done} of ${entries.length} done${now}` }];
}

function notice(one: unknown): Entry {
  const text = [textAt(one, 'title'), textAt(one, 'description')].filter((word) => word !== '').join(': ');
  return { kind: textAt(one, 'severity') === 'error' ? 'error' : 'note', text };
}

/** The error of its model provider that Codex reports in a session update. `willRetry`: Codex continues without help. */
export function providerError(update: unknown): { readonly error: unknown; readonly willRetry: boolean } | undefined {
  const error = valueAt(update, '_meta', 'codex', 'error');
  return error === undefined ? undefined : { error, willRetry: valueAt(error, 'willRetry') === true };
}

function providerErrors(update: unknown): Entry[] {
  const failure = providerError(update);
  if (failure === undefined) return [];
  const { error, willRetry } = failure;
  const why = textAt(error, 'message') || textAt(error, 'codexErrorInfo');
  const text = why === '' ? jsonOf(valueAt(error, 'codexErrorInfo') ?? error).slice(0, 500) : why;
  if (!willRetry) return [{ kind: 'error', text }];
  const details = textAt(error, 'additionalDetails');
  return [{ kind: 'waits', ...(codexWait(text, details === '' ? text : details) ?? { text }) }];
}
