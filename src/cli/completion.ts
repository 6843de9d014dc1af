import { oneOf } from './arguments.ts'
import { scriptFor, SHELLS, type Words } from './completion-scripts.ts'
import { plainCommand, type Command, type Group } from './command.ts'

const args = { '<shell>': { describe: SHELLS.join(', '), parse: oneOf(SHELLS) } } as const

export const command = plainCommand({
  describe: 'print what makes a shell complete commands and options',
  docs: 'docs/command-line.md',
  section: 'client',
  arguments: args,
  examples: [
    'keywright completion bash > ~/.local/share/bash-completion/completions/keywright',
    'keywright completion zsh > ~/.zfunc/_keywright',
    'keywright completion fish > ~/.config/fish/completions/keywright.fish',
  ],
  handler: async ({ shell }) => {
    const script = scriptFor(shell, await allWords())
    return { value: { shell, script }, text: script }
  },
})

/** What may follow each beginning of a command line. */
async function allWords(): Promise<Words> {
  // It is a command itself, so it is loaded when all of them are asked for.
  const { commands } = await import('./commands.ts')
  const words = new Map<string, string[]>([['', [...Object.keys(commands), '--help', '--version']]])
  for (const [name, load] of Object.entries(commands)) add(words, name, (await load()).command)
  return words
}

function add(words: Map<string, string[]>, name: string, command: Command | Group): void {
  if ('commands' in command) {
    words.set(name, [...Object.keys(command.commands), '--help'])
    for (const [word, one] of Object.entries(command.commands)) add(words, `${name} ${word}`, one)
    return
  }
  const flags = Object.keys(command.options ?? {}).map((written) => written.split(' ')[0] ?? '')
  words.set(name, [...flags, '--json', '--help'])
}
