/** Canary: see `invariants.ts`. */
import { type Rule, ruleOf } from './rule.ts';
import { taskOf } from './model.ts';
import { commandsOf } from './rules-of-merging.ts';

const redResults = new Set(['red', 'environment']);

export function baseRules(): Rule {
  /** With the number of updates before. */
  const checked = new Set<string>();
  let updates = 0;
  /** At this base or an earlier one: verification may have begun before an update. */
  const ever = new Set<string>();
  const red = new Set<string>();
  /** Red ones that a person was asked about and has answered, by line. */
  const answered = new Map<string, boolean>();
  const asked = new Map<string, readonly string[]>();
  return ruleOf({
    'base.checked'({ updates: base, check: { argv, from, result } }, model, check) {
      const line = argv.join(' ');
      check(!checked.has(`${base} ${line}`), `${line} was checked at the base twice`);
      check(model.settings.gated && model.workspace !== undefined, `${line} was checked, and there are no rooms`);
      checked.add(`${base} ${line}`);
      ever.add(line);
      if (base === updates && from === 'config' && redResults.has(result)) red.add(line);
    },
    'checkpoint.opened'(event, _model, check) {
      if (event.type !== 'base') return;
      const lines = event.commands.map((argv) => argv.join(' '));
      for (const line of lines) {
        check(red.has(line), `${line} was asked about, and is not red`);
        check(answered.get(line) !== true, `${line} was asked about again after a yes`);
      }
      asked.set(event.checkpoint, lines);
    },
    'checkpoint.answered'(event) {
      for (const line of asked.get(event.checkpoint) ?? []) answered.set(line, event.approved);
    },
    'workspace.updated'() {
      updates += 1;
      red.clear();
    },
    'delegation.registered'(event, _model, check) {
      for (const line of red) check(answered.get(line) === true, `${event.task} was registered while ${line} is red`);
    },
    'task.verified'(event, model, check) {
      if (!model.settings.gated) return;
      const wanted = commandsOf(model, [taskOf(model, event.task)]);
      for (const line of wanted) {
        check(ever.has(line), `${event.task} was verified before ${line} was checked at the base`);
        // With an update in between, the room may have another base.
        const isAsked = updates === 0 && red.has(line) && !answered.has(line);
        check(!isAsked, `${event.task} was verified while a person is asked about ${line}`);
      }
    },
  });
}
