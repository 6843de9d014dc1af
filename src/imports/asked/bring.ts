import type { Context, TxContext } from '../../context.ts'
import { NoExport } from '../files/manifest.ts'
import { importFiles } from '../import-files.ts'
import { importPlatform, type PlatformReport } from '../import-platform.ts'
import type { Asker, Import, ImportReport } from '../import-rows.ts'
import { importServer, type ServerReport } from '../import-server.ts'
import { withFolder } from '../incoming.ts'
import { isPlatform, type PlatformName } from '../platforms/names.ts'
import { ServerRefuses } from '../server/client.ts'
import { guardedAsk } from '../server/guarded-ask.ts'
import type { InHand } from './in-hand.ts'
import type { Wanted } from './service.ts'
import { unpack, unpackMethods } from './unpack.ts'

/** Few, as requests are answered by the same process meanwhile. */
const PART = 100
/** How many bad rows are named, and how many that stay as they are here. */
const NAMED = 10_000
/** Of all answers of a server. */
const MOST_BYTES = 4 * 1024 ** 3

/** What was found, with the files that rows stand in which are wrong. */
export interface Found
  extends
    Omit<ImportReport, 'bad' | 'kept_rows'>,
    Pick<PlatformReport, 'bad' | 'kept_rows' | 'aside' | 'does_not_fit'> {
  /** How many faults have rows that were left out. */
  readonly left_out: number
}

interface Bringing extends Wanted {
  readonly import: Import
  readonly hand: InHand
  /** Where what was uploaded lies. */
  readonly folder: string
  /** A file of methods of payment. */
  readonly methodsFile: string | undefined
}

function bringFrom(ctx: Context, given: Bringing): Promise<ImportReport | ServerReport | Found> {
  const { source } = given
  if (isPlatform(source)) return bringPlatform(ctx, source, given)
  return source === 'server' ? bringServer(ctx, given) : importFiles(ctx, given.folder, given.import)
}

/** Where rows come from that are left out by nobody and put aside by nothing. */
const whole = (report: ImportReport | ServerReport | Found): Found => ({
  left_out: 0,
  aside: [],
  does_not_fit: [],
  ...report,
})

interface Asking extends Wanted {
  readonly asker: Asker
  /** Writes down what was brought, in the transaction that ends the import. */
  readonly onWritten: (ctx: TxContext, found: Found) => Promise<void>
}

/** Brings in what an import was asked for, or only looks at it. */
export async function bring(
  ctx: Context,
  hand: InHand,
  { asker, onWritten, ...wanted }: Asking,
): Promise<Found> {
  const { id, fence, developer_id: developerId, is_dry_run: isDryRun } = hand.row
  const given: Import = {
    developerId,
    isDryRun,
    held: { id, fence },
    asker,
    part: PART,
    named: NAMED,
    onPart: (done) => hand.part(done),
    onWritten: (tx, report) => onWritten(tx, whole(report)),
  }
  return withFolder(ctx, async (folder) => {
    const methodsFile = await unpackInto(ctx, { folder, hand, methodsName: wanted.methodsName })
    const bringing = { ...wanted, import: given, hand, folder, methodsFile }
    const found = await bringFrom(ctx, bringing).catch((error: unknown) => {
      // Where it lies on the server is nobody's to know.
      if (error instanceof NoExport)
        throw new NoExport(error.message.replaceAll(`${folder}/`, '').replaceAll(folder, 'The file'))
      throw error
    })
    return whole(found)
  })
}

/** Writes what was uploaded into the folder; answers where the file of methods lies. */
async function unpackInto(
  ctx: Context,
  { folder, hand, methodsName }: Pick<Bringing, 'folder' | 'hand' | 'methodsName'>,
): Promise<string | undefined> {
  const { file, file_name: name, methods_file: methods } = hand.row
  const beat = () => hand.beat()
  if (file !== null) await unpack(ctx, { sha256: file, name: name ?? '' }, folder, beat)
  if (methods === null) return undefined
  return unpackMethods(ctx, { sha256: methods, name: methodsName ?? '' }, folder, beat)
}

/** Rows that cannot come are told as bad ones are, and only keep the others from coming where they are not left out. */
async function bringPlatform(
  ctx: Context,
  name: PlatformName,
  { import: given, folder, leavesOut, shop, renewsHere, methodsFile }: Bringing,
): Promise<Found> {
  const foundBy = ({ left, left_count: count, ...report }: PlatformReport): Found => ({
    ...report,
    bad: [...report.bad, ...left],
    bad_count: report.bad_count + (leavesOut ? 0 : count),
    left_out: leavesOut ? count : 0,
  })
  const report = await importPlatform(ctx, name, folder, {
    ...given,
    leavesOut,
    renewsHere,
    methodsFile,
    shop: shop ?? undefined,
    onWritten: async (tx, written) => given.onWritten?.(tx, foundBy(written)),
  })
  return foundBy(report)
}

async function bringServer(
  ctx: Context,
  { import: given, hand, login, methodsFile }: Bringing,
): Promise<ServerReport> {
  if (!login) throw new Error('That there are keys was checked.')
  const { ask, close } = await guardedAsk(ctx.config)
  let bytes = 0
  const onAnswer = async (more: number) => {
    bytes += more
    if (bytes > MOST_BYTES) throw new ServerRefuses('The server answers more than 4 GiB.', 0)
    await hand.beat()
  }
  const more = { onProduct: (title: string) => hand.read(title), manner: { ask, onAnswer } }
  try {
    return await importServer(ctx, login, { ...given, ...more, methodsFile })
  } finally {
    await close()
  }
}
