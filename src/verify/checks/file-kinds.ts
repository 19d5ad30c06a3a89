/** Classifies a file by its name and folder: tests and documents may contain what code may not. */

const testFolder = /(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress|testdata|fixtures|__fixtures__|__mocks__)\//i;
const testName =
  /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|[^/]*(?:[._-](?:test|tests|spec|e2e|cy)\.[a-z]{1,5}|_(?:test|spec)\.[a-z]{1,5}))$/i;
/** `CartTest.java`, but not `contest.java`. */
const testClass = /(?:^|\/)[^/]*(?:Tests?|Spec|TestCase|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|swift|php|hs|m|mm)$/;

export function isTestName(path: string): boolean {
  return testName.test(path) || testClass.test(path);
}

export function isTestFile(path: string): boolean {
  return testFolder.test(path) || isTestName(path);
}

/** Written for people to read. */
export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|markdown|rst|adoc|txt|tex|org)$|(?:^|\/)(?:readme|changelog|contributing|license|notice)$/i.test(
    path,
  );
}

/** Meant to be copied and filled in. */
export function isTemplate(path: string): boolean {
  return /[._-](?:example|sample|template|dist|tmpl|tpl|stub)s?(?:$|\.)|(?:^|\/)(?:examples?|samples?|templates?|stubs?)\//i.test(
    path,
  );
}

/** Generated, not meant to be read. */
export function isGenerated(path: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|go\.sum)$|\.(?:min\.(?:js|css)|map|snap)$/i.test(
    path,
  );
}
