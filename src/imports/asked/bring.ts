import type { Context } from '../../context.ts'
import { NoExport } from '../files/manifest.ts'
import { importFiles } from '../import-files.ts'
import type { Asker, Import, ImportReport } from '../import-rows.ts'
import { importServer } from '../import-server.ts'
import { withFolder } from '../incoming.ts'
import { ServerRefuses, type Login } from '../server/client.ts'
import { guardedAsk } from '../server/guarded-ask.ts'
import type { InHand } from './in-hand.ts'
import type { Asked } from './service.ts'
import type { ImportSource } from './sources.ts'
import { unpack } from './unpack.ts'

/** Few, as requests are answered by the same process meanwhile. */
const PART = 100
/** How many bad rows are named. */
const NAMED = 10_000
/** Of all answers of a server. */
const MOST_BYTES = 4 * 1024 ** 3

interface Bringing {
  readonly import: Import
  readonly hand: InHand
  readonly login: Login | null
  /** Where what was uploaded lies, and the file where it is one. */
  readonly folder: string
  readonly file: string | null
}

/** How each source is brought in. */
const BRINGS: Readonly<Record<ImportSource, (ctx: Context, given: Bringing) => Promise<ImportReport>>> = {
  files: (ctx, { folder, import: given }) => importFiles(ctx, folder, given),
  server: bringServer,
}

/** Brings in what an import was asked for, or only looks at it. */
export async function bring(
  ctx: Context,
  hand: InHand,
  { source, login, asker }: Pick<Asked, 'source' | 'login'> & { readonly asker: Asker },
): Promise<ImportReport> {
  const { id, fence, developer_id: developerId, is_dry_run: isDryRun, file, file_name: name } = hand.row
  const given: Import = {
    developerId,
    isDryRun,
    held: { id, fence },
    asker,
    part: PART,
    named: NAMED,
    onPart: (done) => hand.part(done),
  }
  return withFolder(ctx, async (folder) => {
    const uploaded = file === null ? null : { sha256: file, name: name ?? '' }
    const path = uploaded && (await unpack(ctx, uploaded, folder, () => hand.beat()))
    const bringing = { import: given, hand, login, folder, file: path }
    return BRINGS[source](ctx, bringing).catch((error: unknown) => {
      // Where it lies on the server is nobody's to know.
      if (error instanceof NoExport)
        throw new NoExport(error.message.replaceAll(`${folder}/`, '').replaceAll(folder, 'The file'))
      throw error
    })
  })
}

async function bringServer(
  ctx: Context,
  { import: given, hand, login, file }: Bringing,
): Promise<ImportReport> {
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
    return await importServer(ctx, login, { ...given, ...more, ...(file !== null && { methodsFile: file }) })
  } finally {
    await close()
  }
}
