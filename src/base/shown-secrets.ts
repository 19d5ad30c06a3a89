/** Shown secrets: recognised by the place they are in, such as a webhook, a cookie, a `.netrc` or an option of a command. */
import type { MarkSecret } from './secret-kind.ts';

/** The words of which one is in every text that this file changes. */
export const SHOWN =
  'hooks\\.|webhook|ifttt|cookie|machine|default[ \\t]|curl|wget|sshpass|--(?:password|passwd|token|secret|api-key|auth-token)';

export function shownSecrets(text: string, mark: MarkSecret): string {
  return [webhooks, cookies, netrc, logins, options].reduce((before, pass) => pass(before, mark), text);
}

/** The path is the key. */
const WEBHOOK =
  /((?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks|webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook|hooks\.zapier\.com\/hooks\/catch|maker\.ifttt\.com\/trigger\/[\w-]{1,100}\/with\/key|hooks\.[\w-]{1,63}\.com\/hooks)\/)([\w/@.%~=+-]{8}[\w/@.%~=+-]*)/gi;

function webhooks(text: string, mark: MarkSecret): string {
  return text.replace(WEBHOOK, (_, before: string, key: string) => before + mark('webhook', key));
}

/** A header, or what curl sends as one. Prose about cookies has no `=` in the next words. */
const COOKIE = /((?:set-)?cookie["']?[ \t]?[:=][ \t]?["']?|--cookie[ \t=]["']?)([\w.$-]{1,100}=[^\r\n"'`]*)/gi;

function cookies(text: string, mark: MarkSecret): string {
  return text.replace(COOKIE, (_, before: string, value: string) => before + mark('cookie', value));
}

const NETRC =
  /((?:machine[ \t]{1,20}(?:[\w-]{1,100}\.[\w.:-]{1,200}|localhost)|default)\s{1,40}(?:login[ \t]{1,20}[^\s]{1,200}\s{1,40})?password[ \t]{1,20})([^\s[\]]+)/g;

function netrc(text: string, mark: MarkSecret): string {
  return text.replace(NETRC, (_, before: string, value: string) => before + mark('assignment', value));
}

/** `curl -u user:password`; other programs have a `-u` of their own. */
const LOGIN =
  /((?:^|\s)(?:-[a-zA-Z]{0,8}[uU]|--user|--proxy-user)(?:[ \t]{1,4}|=)?["']?[^\s:"'[\]]{0,100}:)([^\s"'[\]]+)/g;
const reach = 300;

function logins(text: string, mark: MarkSecret): string {
  return text.replace(LOGIN, (all: string, before: string, password: string, at: number) => {
    const line =
      text
        .slice(Math.max(0, at - reach), at)
        .split('\n')
        .at(-1) ?? '';
    return /\b(?:curl|wget|http|xh)\b/.test(line) ? before + mark('assignment', password) : all;
  });
}

/** The value of an option as the next word. One word in prose about the option has neither digit nor sign. */
const OPTION =
  /(--(?:password|passwd|token|secret|api-key|auth-token)[ \t]{1,4}["']?|sshpass[ \t]{1,4}-p[ \t]{0,4}["']?)([^\s"'`[\]$<-][^\s"'`[\]]{5}[^\s"'`[\]]*)/g;

function options(text: string, mark: MarkSecret): string {
  return text.replace(OPTION, (all: string, before: string, value: string) =>
    /[\d!#%&*+^@]/.test(value) ? before + mark('assignment', value) : all,
  );
}
