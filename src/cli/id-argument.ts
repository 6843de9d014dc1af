import { InvalidArgumentError } from 'commander'

/** An id on the command line. */
export function idArgument(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be an id, such as 7.')
  return Number(text)
}
