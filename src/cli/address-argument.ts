import { InvalidArgumentError, Option } from 'commander'
import { readConfig } from '../config.ts'
import { isHttpUrl } from '../lib/formats.ts'
import { baseUrlOf } from '../open.ts'
import type { Cli } from './cli.ts'
import { addressToCall } from './running-address.ts'

/** An http or https address on the command line. */
export function addressArgument(text: string): string {
  if (isHttpUrl(text)) return text
  throw new InvalidArgumentError('It must be an http or https address.')
}

/** Which server a command speaks to. */
export const serverOption = (): Option =>
  new Option(
    '--server <address>',
    'where Keywright answers; without it the server that runs on this data folder',
  ).argParser((text) => addressArgument(text).replace(/\/$/, ''))

/** The server that a command was told, or else the one of this environment: where it runs, or would be started. */
export async function serverToCall({ env }: Cli, told: string | undefined): Promise<string> {
  if (told !== undefined) return told
  const config = readConfig(env)
  return addressToCall({ config, baseUrl: baseUrlOf(config) })
}

/** Of a server that does not answer: what to look at. */
export const noAnswer = (server: string): string =>
  `Nothing answers at ${server}: start the server, or name it with --server.`
