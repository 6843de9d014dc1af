import { idArgument } from './arguments.ts'
import { notLoggedIn, sayMended } from './client/connection.ts'
import { profileNamed, readProfiles, writeProfiles } from './client/profiles.ts'
import { plainCommand, type Group } from './command.ts'
import { table } from './text.ts'

const list = plainCommand({
  describe: 'show the log-ins, the current one with a star',
  examples: ['keywright profiles list'],
  handler: async (_, cli) => {
    const stored = await readProfiles(cli.env, sayMended(cli))
    const shown = Object.entries(stored.profiles).map(([name, { url, account, opens, product }]) => ({
      name,
      url,
      account,
      opens: opens === null ? `account ${account}` : `product ${opens}`,
      product,
      is_current: name === stored.current,
    }))
    const rows = shown.map((one) => [
      one.is_current ? '*' : '',
      one.name,
      one.url,
      one.opens,
      one.product ?? '–',
    ])
    return {
      value: { profiles: shown },
      text:
        rows.length > 0 ? table(['', 'name', 'server', 'opens', 'product'], rows) : 'Nobody is logged in.',
    }
  },
})

const use = plainCommand({
  describe: 'make a log-in the current one, and set the product of commands that name none',
  arguments: { '<name>': { describe: 'of the log-in' } },
  options: { '--product <id>': { describe: 'product of commands that name none', parse: idArgument } },
  examples: ['keywright profiles use 127.0.0.1:8080', 'keywright profiles use shop --product 7'],
  handler: async ({ name, product }, cli) => {
    const stored = await readProfiles(cli.env, sayMended(cli))
    const { profiles } = stored
    const profile = profileNamed(stored, name)
    if (!profile) throw notLoggedIn(name, Object.keys(profiles))
    const changed = { ...profile, ...(product !== undefined && { product: String(product) }) }
    await writeProfiles(cli.env, { current: name, profiles: { ...profiles, [name]: changed } })
    return {
      value: { profile: name, url: changed.url, product: changed.product },
      text: `${name} is the current profile, ${changed.product === null ? 'with no product by default' : `with product ${changed.product}`}.`,
    }
  },
})

export const command: Group = {
  describe: 'log-ins that are kept',
  docs: 'docs/command-line.md',
  section: 'client',
  commands: { list, use },
}
