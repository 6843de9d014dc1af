import { once } from 'node:events'
import { relative } from 'node:path'
import type { EventData, TestsStream } from 'node:test'
import { inspect, stripVTControlCharacters } from 'node:util'

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** A line such as `9 of 143 operations`, shown whether or not the file passed. */
const FIGURE = /^\d+ of \d+ \w+$/gm

export interface FileReport extends Tally {
  /** What failed, what a failing file printed, and the figures that a file says it found. */
  readonly lines: readonly string[]
}

/**
 * Follows the `run()` of one file to its end and counts its tests. A file that ends without the summary
 * of its tests (it broke off, was stopped, or has none) is itself one failure.
 */
export async function report(stream: TestsStream, title: string): Promise<FileReport> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const lines: string[] = []
  const path: string[] = []
  let output = ''
  let ending: EventData.TestFail | null = null
  let hasSummary = false
  const fail = (name: string, reason: string) => {
    counts.failed++
    lines.push(`✖ ${title} › ${name}`, `${indented(reason)}\n`)
  }
  const keepOutput = ({ file, message }: { file?: string; message: string }) => {
    if (file) output += message.endsWith('\n') ? message : `${message}\n`
  }
  stream.on('test:stdout', keepOutput).on('test:stderr', keepOutput).on('test:diagnostic', keepOutput)
  stream.on('test:start', ({ nesting, name }) => path.splice(nesting, Infinity, name))
  stream.on('test:pass', (test) => {
    if (test.details.type === 'suite' || isWholeFile(test)) return
    counts[isSkipped(test) ? 'skipped' : 'passed']++
  })
  stream.on('test:fail', (test) => {
    if (isWholeFile(test)) ending = test
    else if (isSkipped(test)) counts.skipped++
    else if (failureType(test) !== 'subtestsFailed') fail(path.join(' › '), explain(test.details.error))
  })
  stream.on('test:summary', ({ file }) => (hasSummary ||= file !== undefined))
  stream.resume()
  await once(stream, 'end')
  const broken = brokenEnding(ending, hasSummary)
  if (broken) fail('the whole file', broken)
  if (counts.failed > 0 && output) lines.push(`  ${title} printed:`, `${indented(output)}\n`)
  lines.push(...(output.match(FIGURE) ?? []))
  return { ...counts, lines }
}

/** The line a run ends with, over everything. */
export const summaryLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

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
  if (!hasSummary) return 'It broke off before its tests ended, or has none.'
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
export const titleOf = (file: string, engine: string | null) =>
  `${relative(process.cwd(), file)}${engine ? ` (${engine})` : ''}`
