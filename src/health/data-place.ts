import type { Config } from '../config.ts'

/** The embedded database's folder, or the server's address without user and password. */
export function dataPlace({ database, dataDir }: Config): string {
  if (!('url' in database)) return dataDir
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}
