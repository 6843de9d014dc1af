import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { isHttpUrl } from '../lib/formats.ts'
import { parseTimeText } from '../lib/time-text.ts'
import type { Cli } from './cli.ts'

/** An id on the command line. */
export function idArgument(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be an id, such as 7.')
}

/** A place of a stream, or 0. */
export function numberArgument(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, such as 7.')
}

/** Whole hours from 0 to `most`. */
export const hoursArgument =
  (most: number) =>
  (text: string): number => {
    if (/^\d{1,3}$/.test(text) && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`It must be whole hours from 0 to ${most}.`)
  }

/** A time as the interface writes it. */
export function timeArgument(text: string): string {
  if (parseTimeText(text, 'first second') !== null) return text
  throw new InvalidArgumentError('It must be a time, such as "2027-01-31 10:00:00".')
}

/** One of several. */
export const oneOf =
  <const T extends string>(choices: readonly T[], says = 'It must be one of') =>
  (text: string): T => {
    const chosen = choices.find((choice) => choice === text)
    if (chosen !== undefined) return chosen
    throw new InvalidArgumentError(`${says} ${choices.join(', ')}.`)
  }

/** A path as who runs the command means it: `npm run` changes to the folder of the project, and tells from where. */
export const pathArgument = (path: string, { env }: Cli): string => resolve(env['INIT_CWD'] ?? '.', path)

/** An http or https address. */
export function addressArgument(text: string): string {
  if (isHttpUrl(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}
