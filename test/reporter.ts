import { once } from 'node:events'
import type { EventData, TestsStream } from 'node:test'
import { inspect, stripVTControlCharacters } from 'node:util'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What `batch.ts` says of the time of a file. */
const BUSY = /^busy ([\d.]+) s in (\S+)\n/gm

/** A line such as `9 of 143 operations`, shown whether or not the file passed. */
const FIGURE = /^\d+ of \d+ \w+$/gm

export interface FileTime {
  readonly title: string
  /** Seconds from its start to its end. */
  readonly seconds: number
  /** Seconds of processor time in the process that it runs in, where that says so: not of those that it starts. */
  readonly busy: number
}

export interface BatchReport extends Tally {
  /** What failed, what failing files printed, and the figures that a file says it found. */
  readonly lines: readonly string[]
  readonly times: readonly FileTime[]
  /** The file of each failure; null where a whole batch broke off. */
  readonly failedIn: readonly (string | null)[]
}

interface Batch {
  readonly files: readonly string[]
  readonly engine: string | null
  /** Whether its tests were chosen by name, so that a file may have none. */
  readonly isNamed: boolean
}

/**
 * Follows the `run()` of one batch of files, each a suite of its own, to its end and counts its tests. A
 * batch that ends without the summary of its tests (it broke off or was stopped) is itself one failure, and
 * so is a file that has no test, unless tests were chosen by name.
 */
export async function report(stream: TestsStream, { files, engine, isNamed }: Batch): Promise<BatchReport> {
  const title = titleOf(files.length === 1 ? String(files[0]) : `${files[0]} … ${files.at(-1)}`, engine)
  const times: FileTime[] = []
  let inFile = 0
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const lines: string[] = []
  const failedIn: (string | null)[] = []
  const path: string[] = []
  let ending: EventData.TestFail | null = null
  let hasSummary = false
  const printed = followOutput(stream)
  const fail = (file: string | null, names: readonly string[], reason: string) => {
    counts.failed++
    failedIn.push(file)
    lines.push(`✖ ${names.join(' › ')}`, `${indented(reason)}\n`)
  }
  const endOfFile = ({ name, nesting, details }: EventData.TestPass | EventData.TestFail) => {
    if (nesting > 0) return
    times.push({
      title: titleOf(name, engine),
      seconds: details.duration_ms / 1000,
      busy: printed.busy(name),
    })
    inFile = 0
  }
  const named = ([file, ...names]: readonly string[]) => [titleOf(String(file), engine), ...names]
  stream.on('test:start', ({ nesting, name }) => path.splice(nesting, Infinity, name))
  stream.on('test:pass', (test) => {
    if (isWholeFile(test)) return
    if (test.nesting === 0) {
      if (inFile === 0 && !isNamed) fail(test.name, [titleOf(test.name, engine)], 'It has no test.')
      return endOfFile(test)
    }
    if (test.details.type === 'suite') return
    inFile++
    counts[isSkipped(test) ? 'skipped' : 'passed']++
  })
  stream.on('test:fail', (test) => {
    if (isWholeFile(test)) {
      ending = test
      return
    }
    inFile++
    if (isSkipped(test)) counts.skipped++
    else if (failureType(test) !== 'subtestsFailed')
      fail(path[0] ?? null, named(path), explain(test.details.error))
    endOfFile(test)
  })
  stream.on('test:summary', ({ file }) => (hasSummary ||= file !== undefined))
  stream.resume()
  await once(stream, 'end')
  const broken = brokenEnding(ending, hasSummary)
  if (broken) fail(null, [title, 'as a whole'], broken)
  const output = printed.text()
  if (counts.failed > 0 && output) lines.push(`  ${title} printed:`, `${indented(output)}\n`)
  lines.push(...(output.match(FIGURE) ?? []))
  return { ...counts, lines, times, failedIn }
}

/** What the files print, without what `batch.ts` says of their time. */
function followOutput(stream: TestsStream) {
  const seconds = new Map<string, number>()
  let output = ''
  const keep = ({ file, message }: { file?: string; message: string }) => {
    if (!file) return
    const text = message.endsWith('\n') ? message : `${message}\n`
    for (const [, busy, name = ''] of text.matchAll(BUSY)) seconds.set(name, Number(busy))
    output += text.replaceAll(BUSY, '')
  }
  stream.on('test:stdout', keep).on('test:stderr', keep).on('test:diagnostic', keep)
  return { text: () => output, busy: (file: string) => seconds.get(file) ?? 0 }
}

/** The line a run ends with, over everything; `again` are those that failed first and passed at a second try. */
export const summaryLine = ({ passed, failed, skipped }: Tally, again = 0): string =>
  [
    `${passed + again} passed`,
    `${failed - again} failed`,
    ...(again > 0 ? [`${again} at a second try`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ')

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, tally) => total + tally.passed, 0),
  failed: tallies.reduce((total, tally) => total + tally.failed, 0),
  skipped: tallies.reduce((total, tally) => total + tally.skipped, 0),
})

/** Node's own entry for the file, beside those of the tests in it. */
export const isWholeFile = ({ name, file }: { name: string; file?: string | undefined }) => name === file

const isSkipped = ({ skip, todo }: EventData.TestPass | EventData.TestFail) =>
  skip !== undefined || todo !== undefined

const failureType = ({ details }: EventData.TestFail) =>
  'failureType' in details.error ? details.error.failureType : undefined

function brokenEnding(ending: EventData.TestFail | null, hasSummary: boolean): string | null {
  if (ending && failureType(ending) === 'testAborted')
    return 'It was stopped: a test hung, or something was left open.'
  if (!hasSummary) return 'It broke off before its tests ended.'
  return ending && 'It failed after its last test.'
}

function explain(failure: Error): string {
  const error = failure.cause ?? failure
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error)
  const text = error.name === 'AssertionError' ? (error.stack ?? error.message) : inspect(error)
  const lines = stripVTControlCharacters(text).split('\n')
  return lines.filter((line) => !/^\s+(at .*node:|\w+: undefined,?$)/.test(line)).join('\n')
}

const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, '    ')

/** How a file is called in what the runner prints. */
const titleOf = (file: string, engine: string | null) => `${file}${engine ? ` (${engine})` : ''}`
