import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { hostOf } from '../../lib/hosts.ts'
import { withoutEnd } from '../../lib/without-end.ts'
import { upsertSite } from './create-queries.ts'

/** What an install's address says about where it is. */
export interface Place {
  /** Null: it told no address with a host. */
  readonly host: string | null
  /** The address of its site: without protocol, `www.`, query and the slash at the end. */
  readonly address: string | null
}

export function placeOf(url: string | null): Place {
  const host = url === null || url === '' ? null : hostOf(url)
  return {
    host,
    address: url === null || host === null ? null : host + pathOf(url),
  }
}

/** Port and path, by which the sites of one host differ. */
function pathOf(url: string): string {
  const { port, pathname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`)
  return (port === '' ? '' : `:${port}`) + withoutEnd(pathname, '/')
}

/** The id of the site at an address of the scope's developer, or, without one, of the uid. */
export const siteOf = (ctx: TxContext, { developerId }: Scope, address: string): Promise<number> =>
  upsertSite(ctx.db, { developer_id: developerId, address, created: ctx.clock.now() })
