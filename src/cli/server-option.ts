import { readConfig } from '../config.ts'
import { baseUrlOf } from '../open.ts'
import { addressArgument } from './arguments.ts'
import type { Cli } from './cli.ts'
import { addressToCall } from './running-address.ts'

/** Which server a command speaks to. */
export const SERVER_OPTION = {
  '--server <address>': {
    describe: 'where Keywright answers; without it the server that runs on this data folder',
    parse: (text: string) => addressArgument(text).replace(/\/$/, ''),
  },
} as const

/** The server that a command was told, or else the one of this environment: where it runs, or would be started. */
export async function serverToCall({ env }: Cli, told: string | undefined): Promise<string> {
  if (told !== undefined) return told
  const config = readConfig(env)
  return addressToCall({ config, baseUrl: baseUrlOf(config) })
}

/** Of a server that does not answer: what to look at. */
export const noAnswer = (server: string): string =>
  `Nothing answers at ${server}: start the server, or name it with --server.`
