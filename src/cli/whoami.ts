import { connect, PROFILE_OPTION, whoami } from './client/connection.ts'
import { rightsText } from './client/rights-text.ts'
import { localTime } from './client/times.ts'
import { plainCommand } from './command.ts'
import { fields } from './text.ts'

export const command = plainCommand({
  describe: 'ask the server what the log-in opens',
  docs: 'docs/command-line.md',
  section: 'client',
  options: PROFILE_OPTION,
  examples: ['keywright whoami'],
  handler: async ({ profile: named }, cli) => {
    const { server, product, profile } = await connect(cli, named)
    const own = await whoami(cli, server)
    const shown = {
      profile: profile ?? 'none (KEYWRIGHT_TOKEN)',
      server: server.url,
      opens: own.plugin_id === null ? `account ${own.developer_id}` : `product ${own.plugin_id}`,
      may: rightsText(own),
      product: product ?? 'none by default',
      token: `${own.id}, ${own.name}`,
      until: own.expires_at === null ? 'it is revoked' : (localTime(own.expires_at) ?? own.expires_at),
    }
    return { value: { profile, url: server.url, product, token: own }, text: fields(shown) }
  },
})
