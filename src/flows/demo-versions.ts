import { zipBytes, type Written } from '../archive/zip-writer.ts'
import { transaction, type Context } from '../context.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import { DAY } from '../lib/time.ts'
import {
  createDeployment,
  getDeployments,
  updateDeployment,
  type Release,
} from '../resources/deployments/service.ts'
import { asOf, unlessMeanwhile, type Demo, type DemoPart } from './demo-part.ts'
import { prepareVersion } from './deploy-version.ts'

interface DemoVersion {
  readonly version: string
  /** Days ago. */
  readonly made: number
  readonly mode: NonNullable<Release['release_mode']>
}

const MAX_BYTES = 100_000

const VERSIONS: readonly DemoVersion[] = [
  { version: '1.9.3', made: 420, mode: 'released' },
  { version: '2.4.1', made: 180, mode: 'released' },
  { version: '2.5.0', made: 12, mode: 'beta' },
]

/** Versions of the first product, each an archive of one small file. */
export const demoVersions: DemoPart = {
  async examples(ctx, demo) {
    const found = await getDeployments(ctx, scopeOf(demo), { count: VERSIONS.length, offset: 0 })
    return found.length === VERSIONS.length ? { tag_id: found[0]?.id ?? '' } : null
  },
  async run(ctx, demo) {
    for (const version of VERSIONS) await unlessMeanwhile(() => deploy(ctx, scopeOf(demo), version))
  },
}

const scopeOf = ({ developerId, productId }: Demo): Scope => systemScope({ developerId, productId })

async function deploy(ctx: Context, scope: Scope, { version, made, mode }: DemoVersion): Promise<void> {
  const known = await getDeployments(ctx, scope, { count: VERSIONS.length, offset: 0 })
  if (known.some((one) => one.version === version)) return
  const received = await ctx.storage.receive(zipBytes(filesOf(version)), MAX_BYTES)
  try {
    const file = { ...received, filename: `aurora-forms.${version}.zip` }
    const prepared = await prepareVersion(ctx, scope, { body: {}, file })
    await transaction(ctx, async (tx) => {
      const then = asOf(tx, tx.clock.real() - made * DAY)
      const { id } = await createDeployment(then, scope, prepared)
      await updateDeployment(then, scope, Number(id), { release_mode: mode })
    })
  } finally {
    await ctx.storage.discard(received)
  }
}

async function* filesOf(version: string): AsyncGenerator<Written> {
  const text = `<?php
/**
 * Plugin Name: Aurora Forms
 * Version: ${version}
 * Requires at least: 6.5
 * Requires PHP: 7.4
 */
`
  yield { name: 'aurora-forms/aurora-forms.php', mode: 0o644, bytes: Buffer.from(text) }
}
