import type { ProcessContext } from '../open.ts'
import type { Cli } from './cli.ts'

interface Argument {
  readonly describe: string
  /** What the text is read as; throws commander's InvalidArgumentError. */
  readonly parse?: (text: string, cli: Cli) => unknown
}

/** Of an option. */
export interface Setting extends Argument {
  /** One letter, in the place of its name. */
  readonly short?: string
  readonly required?: true
  /** What it is when it is not given. */
  readonly default?: unknown
  /** It may be given again; all of them are a list. */
  readonly many?: true
  /** What stands for it in an example. */
  readonly example?: string
  /** It is not listed in the help: the opposite of one that is. */
  readonly isHidden?: true
  /** What it is not given beside, by the names that the handler has for them. */
  readonly conflicts?: readonly string[]
}

/** By how they are written, in their order: `<file>`. */
type Arguments = Readonly<Record<`<${string}>`, Argument>>
/** By their flags: `--product <id>`, `--another`, or `--no-jobs` for what is on unless it is given. */
type Options = Readonly<Record<`--${string}`, Setting>>
type None = Readonly<Record<never, never>>

type Camel<S> = S extends `${infer Head}-${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : S & string
type WithoutValue<S> = S extends `${infer Name} <${string}` ? Name : S
type NameOf<Flags> = Camel<
  Flags extends `--no-${infer Name}` ? Name : Flags extends `--${infer Name}` ? WithoutValue<Name> : never
>

type Parsed<A> = A extends { readonly parse: (text: string, cli: Cli) => infer T } ? T : string
type DefaultOf<O> = O extends { readonly default: infer D } ? D : never
type Valued<O> = O extends { readonly many: true } ? readonly Parsed<O>[] : Parsed<O> | DefaultOf<O>
type Switched<Flags> = Flags extends `--no-${string}` ? boolean : true
type ValueOf<Flags, O> = Flags extends `${string}<${string}` ? Valued<O> : Switched<Flags>

type Sure = { readonly required: true } | { readonly default: unknown } | { readonly many: true }
/** The flags of what is there whether it is given or not. */
type SureOf<O> = { [F in keyof O]: O[F] extends Sure ? F : F extends `--no-${string}` ? F : never }[keyof O]

/** What a command line has given, as the handler gets it: `--redirect-host <host>` as `redirectHost`. */
export type Given<A, O> = {
  readonly [F in keyof A as F extends `<${infer Name}>` ? Name : never]: Parsed<A[F]>
} & { readonly [F in SureOf<O> as NameOf<F>]: ValueOf<F, O[F]> } & {
  readonly [F in Exclude<keyof O, SureOf<O>> as NameOf<F>]?: ValueOf<F, O[F]>
}

/** What a command answers; one that goes on prints by itself. */
export interface Answer {
  /** One object for programs, printed with `--json`. */
  readonly value: object
  /** What people read in its place. */
  readonly text: string
  /** It has found that something is wrong: the process ends with 1. */
  readonly hasFailed?: boolean
}

/** Of the help: what is done on the machine of a server, and what is done to one by its address. */
export const SECTIONS = {
  server: 'Run a server:',
  client: 'Work with a server:',
  noun: 'What it has:',
} as const
export type Section = keyof typeof SECTIONS

interface Description<A, O> {
  /** One line, for the help and for the table of the README. */
  readonly describe: string
  /** The document that says more. */
  readonly docs?: `docs/${string}.md` | 'SECURITY.md'
  readonly arguments?: A
  readonly options?: O
  /** What `--json` does, where that is not to print one object. */
  readonly json?: string
  /** What the help ends with. */
  readonly more?: string
  /** Of each list one must be given, by the names that the handler has for them. */
  readonly needs?: readonly (readonly string[])[]
  /** The option whose file can have what else must be given. */
  readonly filledBy?: string
  /** It changes what an option says: no example is without one. */
  readonly isChange?: true
  /** Command lines, for the help; without them one is made of what must be given. */
  readonly examples?: readonly `keywright ${string}`[]
  /** Under which heading it stands in the help of all commands. */
  readonly section?: Section
  /** It goes on, asks, or shows by itself how far it is. */
  readonly isShowing?: true
}

/** A command as data: `--json`, the help and the table of the README follow from it. */
export interface Command extends Description<Arguments, Options> {
  run(cli: Cli, given: object): Promise<void>
}

/** Commands that share their first word. */
export interface Group extends Pick<Command, 'describe' | 'docs' | 'section'> {
  readonly commands: Readonly<Record<string, Command>>
}

type Answered = Promise<Answer | void> | Answer

/** A command that opens by itself what it needs. */
export function plainCommand<const A extends Arguments = None, const O extends Options = None>({
  handler,
  ...described
}: Description<A, O> & { handler(given: Given<A, O>, cli: Cli): Answered }): Command {
  return {
    ...described,
    run: async (cli, given) => print(cli, await handler(given as Given<A, O>, cli)),
  }
}

/** A command on the database and the secret of the configured server, which are closed after it. */
export function databaseCommand<const A extends Arguments = None, const O extends Options = None>({
  handler,
  ...described
}: Description<A, O> & {
  handler(ctx: ProcessContext, given: Given<A, O>, cli: Cli): Answered
}): Command {
  return plainCommand({
    ...described,
    handler: async (given, cli) => {
      // What calls a server by its address loads no database.
      const { withContext } = await import('./open.ts')
      await withContext(cli, async (ctx) => print(cli, await handler(ctx, given, cli)))
    },
  })
}

function print(cli: Cli, answer: Answer | void): void {
  if (!answer) return
  if (answer.hasFailed) cli.hasFailed = true
  cli.result(answer.value, answer.text)
}
