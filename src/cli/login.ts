import { idArgument } from './arguments.ts'
import { askPerson, fromPipe } from './asking.ts'
import type { Cli } from './cli.ts'
import type { Server } from './client/call.ts'
import { placesOf, sayMended, serverAddress, whoami, type OwnToken } from './client/connection.ts'
import { productFor } from './client/own-product.ts'
import { choosingProduct } from './client/places.ts'
import { profileNamed, profilesFile, readProfiles, writeProfiles, type Profiles } from './client/profiles.ts'
import { rightsText } from './client/rights-text.ts'
import { plainCommand } from './command.ts'
import { Failure } from './failure.ts'
import { fields } from './text.ts'

const USUAL = 'http://127.0.0.1:8080'

const options = {
  '--url <address>': {
    describe: `where the server answers; without it you are asked (${USUAL})`,
    parse: addressOf,
  },
  '--local': {
    describe: 'on the machine of the server: make a token of the account in its database, and keep that',
    conflicts: ['url'],
  },
  '--account <id>': { describe: 'with --local: which account, where there are several', parse: idArgument },
  '--product <id>': { describe: 'product of commands that name none', parse: idArgument },
  '--profile <name>': {
    describe: 'what the log-in is called; the host of the server unless you say it or another has that name',
    parse: nameArgument,
  },
} as const

export const command = plainCommand({
  describe: 'keep the address of a server and a token that opens it, for the commands that call it',
  docs: 'docs/command-line.md',
  section: 'client',
  options,
  isShowing: true,
  more: `The token is asked for, and not shown, or read from standard input: as it is, or as what
"keywright token create --json" prints.`,
  examples: [
    'keywright login',
    'keywright login --local',
    'keywright token create --account 1 --name laptop --json | keywright login --url https://licenses.example.com',
  ],
  handler: async (given, cli) => {
    const server = given.local ? await locally(cli, given.account) : await asked(given.url)
    if (isReadable(server.url))
      cli.warn(
        'not_encrypted',
        `What is sent to ${server.url}, the token too, can be read on the way: use https.`,
      )
    const own = await cli.waitFor('login', () => whoami(cli, server))
    const product = await productFor(cli, { server, own, named: given.product })
    const stored = await readProfiles(cli.env, sayMended(cli))
    const name = given.profile ?? usualName(stored, server, own)
    const kept = { url: server.url, token: server.token, tokenId: own.id, ...placesOf(own), product }
    await writeProfiles(cli.env, { current: name, profiles: { ...stored.profiles, [name]: kept } })
    const value = { profile: name, url: server.url, ...placesOf(own), product, rights: own.rights }
    const opens = own.plugin_id === null ? `account ${own.developer_id}` : `product ${own.plugin_id}`
    const shown = { server: server.url, opens, may: rightsText(own), product: product ?? 'none by default' }
    const hint =
      product === null
        ? `\n\n"keywright product find" lists the products; ${choosingProduct(name)} chooses one.`
        : ''
    return {
      value,
      text: `Logged in as ${name}; the token stands in ${profilesFile(cli.env)}.\n\n${fields(shown)}${hint}`,
    }
  },
})

/** With a token of the account that is made for it, in the database of this machine. */
async function locally(cli: Cli, account: number | undefined): Promise<Server & { token: string }> {
  const { localToken } = await import('./local-token.ts')
  return localToken(cli, account)
}

async function asked(url: string | undefined): Promise<Server & { token: string }> {
  const isTerminal = process.stdin.isTTY
  const address = url ?? (isTerminal ? (await askPerson(`Server (${USUAL}): `)).trim() || USUAL : USUAL)
  const token = tokenIn(isTerminal ? await askPerson('Token: ', true) : await fromPipe())
  if (token === '')
    throw new Failure(
      'no_token',
      'No token was given: pipe one to standard input, or run this in a terminal.',
    )
  return { url: addressOf(address), token }
}

function addressOf(text: string): string {
  const address = serverAddress(text)
  if (address !== null) return address
  throw new Failure('bad_address', 'The server must be an http or https address, with nothing else in it.', 2)
}

/** Http, and not to this machine. */
function isReadable(address: string): boolean {
  const { protocol, hostname: host } = new URL(address)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)
}

/** As it is, or within what made it. */
function tokenIn(text: string): string {
  if (!text.trimStart().startsWith('{')) return text.trim()
  try {
    const { api_token: token } = JSON.parse(text) as { readonly api_token?: unknown }
    if (typeof token === 'string') return token
  } catch {}
  throw new Failure('no_token', 'What was piped has no api_token.')
}

/** The host; where that is what another account or product of it is called, with what this one opens before it. */
function usualName(stored: Profiles, { url }: Server, { developer_id: account, plugin_id: opens }: OwnToken) {
  const { host } = new URL(url)
  const before = profileNamed(stored, host)
  const isSame = before?.url === url && before.account === account && before.opens === opens
  return !before || isSame ? host : `${opens === null ? account : `product-${opens}`}@${host}`
}

function nameArgument(text: string): string {
  if (/^[\w.:@-]{1,100}$/.test(text)) return text
  throw new Failure('usage', 'A profile has letters, digits and . : @ _ - in its name.', 2)
}
