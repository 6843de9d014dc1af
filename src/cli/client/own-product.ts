import type { Cli } from '../cli.ts'
import { Failure } from '../failure.ts'
import { ask, type Server } from './call.ts'
import type { OwnToken } from './connection.ts'
import { Refusal } from './refusal.ts'

interface Asked {
  readonly server: Server
  readonly own: OwnToken
  readonly named: number | undefined
}

/** The product of commands that name none: the one that is named, or the only one there is; null: there are several. */
export async function productFor(cli: Cli, { server, own, named }: Asked): Promise<string | null> {
  const known = own.plugin_id === null ? await productsOf(cli, server, own.developer_id) : [own.plugin_id]
  if (named === undefined) return known?.length === 1 ? (known[0] ?? null) : null
  if (known && known.length < PAGE && !known.includes(String(named)))
    throw new Failure('not_found', `The token opens no product ${named}; it opens ${known.join(', ')}.`)
  return String(named)
}

const PAGE = 50

/** Null: the token may not list them. */
async function productsOf(cli: Cli, server: Server, account: string): Promise<string[] | null> {
  try {
    const { json } = await ask(cli, server, {
      method: 'GET',
      path: `/v1/developers/${account}/products.json?fields=id&count=${PAGE}`,
    })
    return (json as { readonly plugins: readonly { readonly id: string }[] }).plugins.map(({ id }) => id)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
