import { zipBytes, type Written } from '../deployments/archive/zip-writer.ts'
import { transaction, type Context, type TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { DAY } from '../lib/time.ts'
import { listDeployments } from '../deployments/versions/version-rows.ts'
import {
  createDeployment,
  getDeployments,
  noteDownload,
  updateDeployment,
} from '../deployments/versions/service.ts'
import { asOf, unlessMeanwhile, type Demo, type DemoPart } from './part.ts'
import { RELEASES, type DemoRelease } from './releases.ts'
import { prepareVersion } from '../deployments/versions/deploy-version.ts'

const MAX_BYTES = 100_000
const MOST = 25

const WHICH = ['first', 'other'] as const
const NAMES = { first: 'Aurora Forms', other: 'Aurora Bookings' } as const

/** Versions of both products, each with a free build and a premium one. */
export const demoVersions: DemoPart = {
  async examples(ctx, demo) {
    const page = { count: MOST, offset: 0 }
    const first = await getDeployments(ctx, scopeOf(demo, 'first'), page)
    const other = await getDeployments(ctx, scopeOf(demo, 'other'), page)
    const isWhole = first.length >= RELEASES.first.length && other.length >= RELEASES.other.length
    return isWhole ? { tag_id: first[0]?.id ?? '' } : null
  },
  async run(ctx, demo) {
    for (const which of WHICH) {
      for (const release of RELEASES[which]) {
        await unlessMeanwhile(() => deploy(ctx, scopeOf(demo, which), { which, release }))
      }
    }
  },
}

const scopeOf = ({ developerId, productId, otherProductId }: Demo, which: 'first' | 'other'): Scope =>
  systemScope({ developerId, productId: which === 'first' ? productId : otherProductId })

interface Deployed {
  readonly which: 'first' | 'other'
  readonly release: DemoRelease
}

async function deploy(ctx: Context, scope: Scope, { which, release }: Deployed): Promise<void> {
  const { version, made, mode, limit } = release
  const known = await getDeployments(ctx, scope, { count: MOST, offset: 0 })
  if (known.some((one) => one.version === version)) return
  const slug = NAMES[which].toLowerCase().replace(' ', '-')
  const received = await ctx.storage.receive(
    zipBytes(filesOf({ slug, title: NAMES[which], version })),
    MAX_BYTES,
  )
  try {
    const file = { ...received, filename: `${slug}.${version}.zip` }
    const prepared = await prepareVersion(ctx, scope, { body: {}, file })
    await transaction(ctx, async (tx) => {
      const then = asOf(tx, tx.clock.real() - made * DAY)
      const { id } = await createDeployment(then, scope, prepared)
      const offered = { release_mode: mode, ...(limit !== undefined && { limit }) }
      if (mode !== 'pending') await updateDeployment(then, scope, Number(id), offered)
    })
  } finally {
    await ctx.storage.discard(received)
  }
}

interface Plugin {
  readonly slug: string
  readonly title: string
  readonly version: string
}

async function* filesOf({ slug, title, version }: Plugin): AsyncGenerator<Written> {
  const main = `<?php
/**
 * Plugin Name: ${title}
 * Version: ${version}
 * Requires at least: 6.5
 * Requires PHP: 7.4
 */
if ( fs()->is__premium_only() ) { require 'pro.php'; }
`
  const files = [
    [`${slug}.php`, main],
    ['pro.php', `<?php // fs_premium_only_begin\n// fs_premium_only_end\n`],
    [
      'readme.txt',
      `=== ${title} ===\nStable tag: ${version}\n\n== Changelog ==\n\n= ${version} =\n* Better than before.\n`,
    ],
    ['sdk/start.php', `<?php\n$this_sdk_version = '2.11.0';\n`],
  ] as const
  for (const [name, text] of files) yield { name: `${slug}/${name}`, mode: 0o644, bytes: Buffer.from(text) }
}

/** A site has fetched a version, which is counted as its download. */
export async function noteUpdate(
  tx: TxContext,
  scope: Scope,
  by: { readonly userId: number; readonly installId: number; readonly version: string },
): Promise<void> {
  const found = await listDeployments(tx.db, scope, { count: MOST, offset: 0 })
  const row = found.find(({ version }) => version === by.version)
  if (row) await noteDownload(tx, scope, row, { ...by, type: 'plugin.premium.downloaded' })
}
