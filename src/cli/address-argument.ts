import { InvalidArgumentError, Option } from 'commander'
import { isHttpUrl } from '../lib/formats.ts'
import type { Cli } from './cli.ts'

/** An http or https address on the command line. */
export function addressArgument(text: string): string {
  if (isHttpUrl(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}

/** Which server a command speaks to: by default the one that would start here. */
export const serverOption = ({ env }: Cli): Option =>
  new Option('--server <address>', 'where Keywright answers')
    .argParser((text) => addressArgument(text).replace(/\/$/, ''))
    .default(`http://127.0.0.1:${env['PORT'] || '8080'}`)

/** Of a server that does not answer: what to look at. */
export const noAnswer = (server: string): string =>
  `Nothing answers at ${server}: start the server, or name it with --server.`
