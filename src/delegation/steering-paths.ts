/**
 * SteeringPaths: the paths of a project that programs obey. Whoever writes one of them decides what runs later on the machine of
 * the user, of their team, or of the next agent, so work that touches one needs a scope that names it, and a person.
 *
 * A row matches at any depth and in any spelling that some file system takes for the same name: programs look in the folder they
 * are started in. A row that is a folder covers everything below it; `*` is any part of one name.
 */

/** `executes`: rejected, or asked about where the scope names it. `instructs`: later agents read it; degraded. `none`: an exception. */
export type SteeringEffect = 'executes' | 'instructs' | 'none';

/** Files of which only a part steers; `verify/checks/steering.ts` compares that part. */
export type SteeringPart = 'package' | 'attributes';

export interface SteeringRow {
  readonly path: string;
  readonly why: string;
  readonly effect: SteeringEffect;
  readonly part?: SteeringPart;
}

const instructs = (path: string, why: string): SteeringRow => ({ path, why, effect: 'instructs' });
const executes = (path: string, why: string): SteeringRow => ({ path, why, effect: 'executes' });

/** The first row that matches counts: exceptions and folders of rules come before the folders they are in. */
export const steeringRows: readonly SteeringRow[] = [
  // What Divisi itself writes in a folder that a client obeys, and the client does not read.
  { path: '.claude/specs', why: 'backlog tasks with their reports and plans', effect: 'none' },
  { path: '.claude/features', why: 'documents of features', effect: 'none' },
  { path: '.claude/MASTER.md', why: 'the list of features', effect: 'none' },

  // Texts that later agents read as instructions.
  instructs('CLAUDE.md', 'Claude Code reads it in every conversation'),
  instructs('CLAUDE.local.md', 'Claude Code reads it in every conversation'),
  instructs('AGENTS.md', 'most agent programs read it in every conversation'),
  instructs('AGENTS.override.md', 'Codex reads it instead of AGENTS.md'),
  instructs('GEMINI.md', 'Gemini CLI reads it in every conversation'),
  instructs('QWEN.md', 'Qwen Code reads it in every conversation'),
  instructs('.goosehints', 'goose reads it in every conversation'),
  instructs('.cursorrules', 'Cursor reads it in every conversation'),
  instructs('.windsurfrules', 'Windsurf reads it in every conversation'),
  instructs('.clinerules', 'Cline reads its rules in every conversation'),
  instructs('.claude/rules', 'Claude Code reads its rules in every conversation'),
  instructs('.cursor/rules', 'Cursor reads its rules in every conversation'),
  instructs('.windsurf/rules', 'Windsurf reads its rules in every conversation'),
  instructs('.continue/rules', 'Continue reads its rules in every conversation'),
  instructs('.roo/rules', 'Roo Code reads its rules in every conversation'),
  instructs('.amazonq/rules', 'Amazon Q reads its rules in every conversation'),
  instructs('.kiro/steering', 'Kiro reads its rules in every conversation'),
  instructs('.github/copilot-instructions.md', 'Copilot reads it in every conversation'),
  instructs('.github/instructions', 'Copilot reads its instructions in every conversation'),

  // Settings, hooks, agents, commands, skills and plugins of agent programs.
  executes('.claude', 'Claude Code runs its hooks and obeys its agents, commands, skills and permissions'),
  executes('.claude-plugin', 'Claude Code loads plugins from it'),
  executes('.mcp.json', 'clients start the MCP servers it names'),
  executes('.codex', 'Codex obeys its config: hooks, MCP servers, sandbox'),
  executes('.agents', 'Codex, Gemini CLI and others load skills and plugins from it'),
  executes('.gemini', 'Gemini CLI obeys its settings: hooks, MCP servers, commands, extensions'),
  executes('.qwen', 'Qwen Code obeys its settings: hooks, MCP servers, commands'),
  executes('.opencode', 'OpenCode loads plugins, tools, agents and commands from it'),
  executes('opencode.json', 'OpenCode starts the plugins and MCP servers it names'),
  executes('opencode.jsonc', 'OpenCode starts the plugins and MCP servers it names'),
  executes('.goose', 'goose obeys its config and recipes'),
  executes('.copilot', 'Copilot obeys its config: MCP servers, hooks, agents'),
  executes('.github/copilot', 'Copilot obeys its settings and hooks'),
  executes('.github/agents', 'Copilot takes its agents from it'),
  executes('.github/hooks', 'Copilot runs the hooks in it'),
  executes('.github/skills', 'Copilot takes its skills from it'),
  executes('.github/mcp.json', 'Copilot starts the MCP servers it names'),
  executes('.pi', 'pi loads extensions and skills from it'),
  executes('.cursor', 'Cursor runs its hooks and MCP servers'),
  executes('.windsurf', 'Windsurf obeys its hooks and workflows'),
  executes('.continue', 'Continue starts the MCP servers it names'),
  executes('.roo', 'Roo Code starts the MCP servers it names'),
  executes('.amazonq', 'Amazon Q starts the MCP servers it names'),
  executes('.kiro', 'Kiro runs its hooks and MCP servers'),
  executes('.aider.conf.yml', 'aider runs the lint and test commands it names'),
  executes('.divisi/agents', 'Divisi takes roles, and the drivers they name, from it'),
  executes('.divisi/contracts', 'Divisi takes what follows a result from it'),
  executes('.divisi/commands', 'Divisi takes its task commands from it'),

  // Editors.
  executes('.vscode', 'VS Code runs its tasks and starts the programs and MCP servers in its settings'),
  executes('*.code-workspace', 'VS Code runs its tasks and starts the programs in its settings'),
  executes('.idea', 'JetBrains IDEs run its configurations, watchers and start-up tasks'),
  executes('.run', 'JetBrains IDEs run its configurations'),
  executes('.fleet', 'Fleet runs its configurations'),
  executes('.zed', 'Zed runs its tasks and language servers'),
  executes('.nvim.lua', 'Neovim runs it when it is opened in the folder'),
  executes('.nvimrc', 'Neovim runs it when it is opened in the folder'),
  executes('.exrc', 'Vim runs it when it is opened in the folder'),
  executes('.vimrc', 'Vim runs it when it is opened in the folder'),
  executes('.dir-locals.el', 'Emacs evaluates it for every file below'),

  // Git and its hooks.
  executes('.husky', 'git runs the hooks in it'),
  executes('.githooks', 'git runs the hooks in it'),
  executes('lefthook*.y*ml', 'lefthook runs its commands as git hooks'),
  executes('.lefthook*', 'lefthook runs its commands as git hooks'),
  executes('.pre-commit-config.y*ml', 'pre-commit runs its programs as git hooks'),
  executes('.overcommit.yml', 'overcommit runs its programs as git hooks'),
  executes('.simple-git-hooks*', 'simple-git-hooks runs its commands as git hooks'),
  executes('.lintstagedrc*', 'lint-staged runs its commands at each commit'),
  executes('lint-staged.config.*', 'lint-staged runs its commands at each commit'),
  executes('.gitmodules', 'git clones and updates submodules from the addresses it names'),
  executes('.gitconfig', 'git obeys it where a config includes it: aliases, filters, hooks'),
  executes('.lfsconfig', 'git-lfs sends files and log-ins to the server it names'),
  { ...executes('.gitattributes', 'git runs the filter, diff and merge drivers it names'), part: 'attributes' },

  // Continuous integration: it runs with the secrets of the project.
  executes('.github/workflows', 'GitHub runs its workflows with the secrets of the project'),
  executes('.github/actions', 'GitHub runs its actions with the secrets of the project'),
  executes('.forgejo', 'Forgejo runs its workflows with the secrets of the project'),
  executes('.gitea', 'Gitea runs its workflows with the secrets of the project'),
  executes('.gitlab-ci.yml', 'GitLab runs its jobs with the secrets of the project'),
  executes('.gitlab/ci', 'GitLab runs the jobs that its files define'),
  executes('.circleci', 'CircleCI runs its jobs with the secrets of the project'),
  executes('.buildkite', 'Buildkite runs its steps with the secrets of the project'),
  executes('.teamcity', 'TeamCity runs its builds with the secrets of the project'),
  executes('.woodpecker*', 'Woodpecker runs its steps with the secrets of the project'),
  executes('.drone.y*ml', 'Drone runs its steps with the secrets of the project'),
  executes('.travis.yml', 'Travis runs its jobs with the secrets of the project'),
  executes('.cirrus.yml', 'Cirrus runs its tasks with the secrets of the project'),
  executes('appveyor.yml', 'AppVeyor runs its builds with the secrets of the project'),
  executes('.appveyor.yml', 'AppVeyor runs its builds with the secrets of the project'),
  executes('azure-pipelines*.yml', 'Azure runs its pipelines with the secrets of the project'),
  executes('bitbucket-pipelines.yml', 'Bitbucket runs its pipelines with the secrets of the project'),
  executes('Jenkinsfile', 'Jenkins runs it with the secrets of the project'),

  // Shells and development environments.
  executes('.envrc', 'direnv runs it in every shell of the folder'),
  executes('mise.toml', 'mise runs its hooks and tasks'),
  executes('.mise.toml', 'mise runs its hooks and tasks'),
  executes('.mise', 'mise runs its hooks and tasks'),
  executes('.devcontainer', 'a development container is built and started from it'),
  executes('.devcontainer.json', 'a development container is built and started from it'),
  executes('.gitpod.yml', 'Gitpod runs its commands'),
  executes('.idx', 'Firebase Studio runs its commands'),
  executes('.codesandbox', 'CodeSandbox runs its commands'),
  executes('.replit', 'Replit runs its commands'),

  // Package managers.
  { ...executes('package.json', 'npm runs its install scripts and links its programs'), part: 'package' },
  executes('.npmrc', 'npm and pnpm obey it: registry, log-ins, the shell and the node of scripts'),
  executes('.yarnrc*', 'Yarn obeys it: registry, plugins, the Yarn it starts'),
  executes('.yarn/plugins', 'Yarn runs the plugins in it'),
  executes('.yarn/releases', 'Yarn starts the release in it'),
  executes('.pnpmfile.*', 'pnpm runs it at every install'),
  executes('pnpm-workspace.y*ml', 'pnpm obeys it: workspaces, and which packages run install scripts'),
  executes('bunfig.toml', 'Bun runs what it preloads'),
  executes('.bunfig.toml', 'Bun runs what it preloads'),
  executes('pip.conf', 'pip installs from the addresses it names'),
  executes('.cargo', 'Cargo starts the linkers, wrappers and runners it names'),
  executes('.bundle', 'Bundler obeys its config'),
  executes('.mvn', 'Maven loads its extensions and JVM options'),
  executes('gradle/wrapper', 'Gradle downloads and starts what it names'),
  executes('NuGet.config', 'NuGet installs from the addresses it names'),
];
