import { mkdir, writeFile } from 'node:fs/promises'
import { Session, type Profiler } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What ran while a test file did. */
export interface FileCoverage {
  /** The test file's path from the root. */
  readonly test: string
  readonly engine: string | null
  readonly seconds: number
  /** Per module of `src`, from the root: ranges of its text that ran, `[start, end]`, without their holes. */
  readonly ran: Readonly<Record<string, readonly (readonly [start: number, end: number])[]>>
}

let session: Session | undefined

/** Begins to count what runs in this process; what came before counts for nobody. */
export async function startCoverage(): Promise<void> {
  session ??= await connected()
  await session.post('Profiler.takePreciseCoverage')
}

async function connected(): Promise<Session> {
  const own = new Session()
  own.connect()
  await own.post('Profiler.enable')
  await own.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return own
}

/** Writes what ran since the start into the folder, a file for each test file and engine. */
export async function writeCoverage(folder: string, about: Omit<FileCoverage, 'ran'>): Promise<void> {
  if (!session) return
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = Object.fromEntries(
    result.flatMap(({ url, functions }) => {
      const path = url.startsWith('file:') ? relative(process.cwd(), fileURLToPath(url)) : ''
      return path.startsWith('src/') ? [[path, rangesThatRan(functions)]] : []
    }),
  )
  await mkdir(folder, { recursive: true })
  const name = `${about.engine}-${about.test.replaceAll('/', '-')}.json`
  await writeFile(join(folder, name), JSON.stringify({ ...about, ran } satisfies FileCoverage))
}

/** The inner range of a function tells what its outer one does not: each place belongs to the smallest one around it. */
function rangesThatRan(functions: readonly Profiler.FunctionCoverage[]): (readonly [number, number])[] {
  const all = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const found: [number, number][] = []
  const open: Profiler.CoverageRange[] = []
  let at = 0
  const upTo = (place: number) => {
    if ((open.at(-1)?.count ?? 0) > 0 && place > at) found.push([at, place])
    at = Math.max(at, place)
  }
  const close = (place: number) => {
    for (let last = open.at(-1); last && last.endOffset <= place; last = open.at(-1)) {
      upTo(last.endOffset)
      open.pop()
    }
  }
  for (const range of all) {
    close(range.startOffset)
    upTo(range.startOffset)
    open.push(range)
  }
  close(Infinity)
  return found
}
