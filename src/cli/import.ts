import { counted } from '../lib/counted.ts'
import { NoAccount } from '../imports/export-account.ts'
import { NoExport } from '../imports/files/manifest.ts'
import { importServer, type ServerReport } from '../imports/import-server.ts'
import { ServerRefuses } from '../imports/server/client.ts'
import { importFiles } from '../imports/import-files.ts'
import { importPlatform, type PlatformReport } from '../imports/import-platform.ts'
import { NothingToResume, type Import, type ImportReport } from '../imports/import-rows.ts'
import type { Platform } from '../imports/platforms/map.ts'
import { PLATFORMS } from '../imports/platforms/platforms.ts'
import { importsOf } from '../imports/service.ts'
import { NoImport, undoImport, type UndoReport } from '../imports/undo-import.ts'
import { TakenMeanwhile } from '../imports/write-rows.ts'
import { addressArgument, idArgument, pathArgument } from './arguments.ts'
import type { Cli } from './cli.ts'
import { databaseCommand, type Answer, type Group } from './command.ts'
import { Failure } from './failure.ts'
import { table } from './text.ts'

const docs = 'docs/moving.md'
const account = { describe: 'id of the developer', parse: idArgument, required: true } as const

const running = {
  '--account <id>': account,
  '--dry-run': { describe: 'look at every row, name what is wrong, and write nothing' },
  '--resume': { describe: 'only go on with an import that was broken off' },
} as const

const files = databaseCommand({
  describe: 'bring the files of an export, or others like them, into an account',
  docs,
  arguments: { '<folder>': { describe: 'what export has written', parse: pathArgument } },
  options: running,
  handler: (ctx, { folder, ...given }, cli) => {
    cli.stepBack()
    return answered(importFiles(ctx, folder, importOf(given, cli)))
  },
})

const server = databaseCommand({
  describe: 'bring into an account what another server of this interface has, with ids and keys',
  docs,
  options: {
    '--url <address>': { describe: 'address of the server', parse: addressArgument, required: true },
    '--developer-id <id>': { describe: 'id of the developer there', parse: idArgument, required: true },
    '--public-key <key>': { describe: 'public key of the developer there', required: true },
    '--secret-key <key>': { describe: 'secret key; better: KEYWRIGHT_IMPORT_SECRET_KEY in the environment' },
    '--payment-methods <file>': {
      describe: 'methods of subscriptions, as JSON lines or CSV: these are renewed here',
      parse: pathArgument,
    },
    ...running,
  },
  examples: [
    'keywright import server --url https://licenses.example.com --developer-id 7 --public-key pk_key --secret-key sk_key --account 1 --dry-run',
    'keywright import server --url https://licenses.example.com --developer-id 7 --public-key pk_key --secret-key sk_key --account 1',
  ],
  handler: (ctx, { url, developerId, publicKey, secretKey, paymentMethods, ...given }, cli) => {
    cli.stepBack()
    const key = secretKey ?? cli.env['KEYWRIGHT_IMPORT_SECRET_KEY']
    if (!key) throw new Failure('no_secret_key', 'Give --secret-key, or set KEYWRIGHT_IMPORT_SECRET_KEY.')
    const login = { url, developerId, publicKey, secretKey: key }
    const onProduct = (title: string) => cli.tell(`reading ${title}`)
    const more = { methodsFile: paymentMethods, onProduct }
    return answered(importServer(ctx, login, { ...importOf(given, cli), ...more }))
  },
})

/** Brings what lies in a folder of the exports, tables or saved pages of a platform. */
const platformCommand = ({ name, title }: Platform) =>
  databaseCommand({
    describe: `bring what ${title} has into an account, out of a folder of its exports`,
    docs,
    arguments: {
      '<folder>': { describe: `files of ${title}, as the documents have them`, parse: pathArgument },
    },
    options: {
      '--shop <name>': { describe: 'which one, where you bring several of this platform into the account' },
      '--leave-out': { describe: 'bring the others where rows cannot come' },
      '--renew-here': {
        describe:
          'renew here the subscriptions whose method of payment comes along: end renewals there first',
      },
      '--payment-methods <file>': {
        describe:
          'methods of subscriptions by their numbers there, as JSON lines or CSV: these are renewed here',
        parse: pathArgument,
      },
      ...running,
    },
    examples: [
      `keywright import ${name} ./exports --account 1 --dry-run`,
      `keywright import ${name} ./exports --account 1 --leave-out`,
    ],
    handler: async (ctx, { folder, shop, leaveOut, renewHere, paymentMethods, ...given }, cli) => {
      cli.stepBack()
      const chosen = { shop, leavesOut: leaveOut === true, renewsHere: renewHere === true }
      const more = { ...importOf(given, cli), ...chosen, methodsFile: paymentMethods }
      const report = await orFailure(importPlatform(ctx, name, folder, more))
      const isStopped = report.left_count > 0 && !chosen.leavesOut
      return {
        value: report,
        text: platformText(report, isStopped),
        hasFailed: report.bad_count > 0 || isStopped,
      }
    },
  })

const undo = databaseCommand({
  describe: 'take out again what an import has brought, but for what was used since',
  docs,
  arguments: { '<id>': { describe: 'id of the import', parse: idArgument } },
  options: { '--account <id>': account },
  handler: async (ctx, { id, account: developerId }) => {
    const report = await orFailure(undoImport(ctx, developerId, id))
    return { value: report, text: undoText(report) }
  },
})

const list = databaseCommand({
  describe: 'show the imports of an account',
  docs,
  options: { '--account <id>': account },
  handler: async (ctx, { account: developerId }) => {
    const imports = await importsOf(ctx, developerId)
    const rows = imports.map((one) => [one.id, one.source, one.state, one.created, String(one.added)])
    const text = table(['id', 'source', 'state', 'begun', 'rows'], rows)
    return { value: { imports }, text: imports.length === 0 ? 'No imports.' : text }
  },
})

interface Given {
  readonly account: number
  readonly dryRun?: true
  readonly resume?: true
}

const importOf = ({ account: developerId, dryRun, resume }: Given, cli: Cli): Import => ({
  developerId,
  isDryRun: dryRun === true,
  isResumed: resume === true,
  onPart: telling(cli),
})

/** Says how far an import is, by the kinds of rows that it looks at and writes. */
function telling(cli: Cli): NonNullable<Import['onPart']> {
  const rows = { check: new Map<string, number>(), write: new Map<string, number>() }
  return ({ phase, kind, rows: more }) => {
    const done = (rows[phase].get(kind) ?? 0) + more
    rows[phase].set(kind, done)
    const what = `${phase === 'check' ? 'looking at' : 'writing'} ${kind}`
    cli.tell({ what, done, of: phase === 'check' ? null : (rows.check.get(kind) ?? null), unit: 'rows' })
  }
}

async function answered(work: Promise<ImportReport | ServerReport>): Promise<Answer> {
  const report = await orFailure(work)
  const aside = 'aside' in report ? asideLines(report) : []
  const text = [...aside, reportText(report)].join('\n')
  return { value: report, text, hasFailed: report.bad_count > 0 }
}

const asideLines = ({ aside }: Pick<ServerReport, 'aside'>): string[] =>
  aside.map(({ kind, reason, count }) => `${kind}: ${count} put aside (${reason})`)

/** How many bad rows, and rows that stay, people are shown; with `--json` there are more. */
const SHOWN = 50

type Told = Omit<ImportReport, 'bad' | 'kept_rows'> & Pick<PlatformReport, 'bad' | 'kept_rows'>

function reportText(report: Told): string {
  const { added, changed, kept, same, bad, bad_count: badCount } = report
  if (badCount > 0) {
    const lines = bad
      .slice(0, SHOWN)
      .map(
        ({ kind, file, line, column, message }) =>
          `${file ? `${file} ` : ''}${kind} line ${line}: ${column === null ? '' : `${column} `}${message}`,
      )
    const more = badCount > lines.length ? [`and ${badCount - lines.length} more`] : []
    return [`${counted(badCount, 'bad row')}; nothing was written.`, ...lines, ...more].join('\n')
  }
  const told = `${counted(added, 'row')} added, ${changed} changed, ${same} as they were, ${kept} left as they were changed here`
  return [outcomeText(report, told), ...keptLines(report)].join('\n')
}

function outcomeText({ dry_run: isDryRun, import_id: id, kept }: Told, told: string): string {
  if (isDryRun) return `Nothing is wrong, and nothing was written. It would be: ${told}.`
  if (id !== null) return `Import ${id}: ${told}.`
  return kept > 0 ? `Nothing was written: ${told}.` : 'Everything is here already.'
}

function keptLines({ kept, kept_rows: rows }: Told): string[] {
  const lines = rows
    .slice(0, SHOWN)
    .map(
      ({ file, kind, line, key, message }) =>
        `${file ? `${file} ` : ''}${kind} line ${line}: ${key} ${message}`,
    )
  return kept > lines.length ? [...lines, `and ${kept - lines.length} more that stay`] : lines
}

function platformText(report: PlatformReport, isStopped: boolean): string {
  const { left, left_count: count, does_not_fit: noFit } = report
  const lines = left
    .slice(0, SHOWN)
    .map(
      ({ file, line, kind, column, reason, message }) =>
        `${file} line ${line}: ${kind} ${column === null ? '' : `${column} `}${message} (${reason})`,
    )
  const more = count > lines.length ? [`and ${count - lines.length} more`] : []
  const cannot =
    count === 0 ? [] : [`${counted(count, 'fault')} of rows that cannot come:`, ...lines, ...more]
  const fits = report.dry_run ? noFit.map(({ what, why }) => `Does not fit: ${what}: ${why}.`) : []
  const end =
    isStopped && report.bad_count === 0 && !report.dry_run
      ? 'Nothing was written: mend these rows, or bring the others with --leave-out.'
      : reportText(report)
  return [...cannot, ...asideLines(report), ...fits, end].join('\n')
}

function undoText({ removed, stayed, stayed_count: count }: UndoReport): string {
  const lines = stayed.map(({ kind, key, reason }) => `${kind} ${key}: ${reason}`)
  const more = count > lines.length ? [`and ${count - lines.length} more`] : []
  return [`${counted(removed, 'row')} removed, ${count} stay.`, ...lines, ...more].join('\n')
}

async function orFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof NoExport) throw new Failure('no_export', error.message)
    if (error instanceof NoAccount || error instanceof NoImport) throw new Failure('not_found', error.message)
    if (error instanceof ServerRefuses) throw new Failure('server_refuses', error.message)
    if (error instanceof NothingToResume) throw new Failure('nothing_to_resume', error.message)
    if (error instanceof TakenMeanwhile)
      throw new Failure(
        'taken_meanwhile',
        `${error.message} What was written stays: import again, or undo it.`,
      )
    throw error
  }
}

export const command: Group = {
  describe: 'bring into an account what another server, or a file, has',
  docs,
  commands: {
    files,
    server,
    ...Object.fromEntries(Object.values(PLATFORMS).map((one) => [one.name, platformCommand(one)])),
    undo,
    list,
  },
}
