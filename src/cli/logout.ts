import { ask } from './client/call.ts'
import { notLoggedIn, PROFILE_OPTION, sayMended } from './client/connection.ts'
import { profileNamed, readProfiles, writeProfiles } from './client/profiles.ts'
import { plainCommand } from './command.ts'
import { Failure } from './failure.ts'

export const command = plainCommand({
  describe: 'forget a log-in; with --revoke its token ends as well',
  docs: 'docs/command-line.md',
  section: 'client',
  options: { ...PROFILE_OPTION, '--revoke': { describe: 'end the token on the server first' } },
  examples: ['keywright logout', 'keywright logout --profile shop --revoke'],
  handler: async ({ profile: named, revoke }, cli) => {
    const stored = await readProfiles(cli.env, sayMended(cli))
    const { current, profiles } = stored
    const name = named ?? (cli.env['KEYWRIGHT_PROFILE'] || current)
    const profile = profileNamed(stored, name)
    if (name === null || !profile) throw notLoggedIn(name, Object.keys(profiles))
    if (revoke) {
      const { url, token, account, opens, tokenId } = profile
      if (opens !== null) throw endedElsewhere(tokenId, opens)
      const path = `/v1/developers/${account}/tokens/${tokenId}.json`
      await ask(cli, { url, token }, { method: 'DELETE', path })
    }
    const { [name]: _, ...rest } = profiles
    const next = current === name ? (Object.keys(rest)[0] ?? null) : current
    await writeProfiles(cli.env, { current: next, profiles: rest })
    const now = next === null ? 'Nobody is logged in now.' : `The current profile is ${next}.`
    return {
      value: { profile: name, revoked: revoke === true, current: next },
      text: `${name} is forgotten. ${now}`,
    }
  },
})

const endedElsewhere = (token: string, product: string): Failure =>
  new Failure(
    'token_of_product',
    `The token of a product ends no token; who is logged in to its account does, with "keywright api-token revoke ${token} --product ${product}".`,
  )
