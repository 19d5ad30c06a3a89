/** Completion in shells: the script a person asks for, and the hidden command the script asks. */
import type { Command } from 'commander';
import { answer, command, type JsonOption } from './define-command.ts';

const setUp = `
In ~/.bashrc:                 eval "$(divisi completion bash)"
In ~/.zshrc, after compinit:  eval "$(divisi completion zsh)"
For fish, once:               divisi completion fish > ~/.config/fish/completions/divisi.fish
`;

export function addCompletion(program: Command): void {
  command(program, 'completion <shell>', 'a script for bash, zsh or fish', 'divisi completion bash')
    .addHelpText('after', setUp)
    .action(async (shell: string, options: JsonOption) =>
      answer(options, async () => (await import('./completion/completion.ts')).completion(shell)),
    );
  program.command('complete [words...]', { hidden: true }).action(async (words: string[]) => {
    process.stdout.write(await (await import('./completion/complete.ts')).complete(program, words));
  });
}
