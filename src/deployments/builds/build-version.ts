import type { Built, Reading } from '../archive/reading.ts'
import type { Context } from '../../context.ts'
import type { Received } from '../../lib/receive.ts'
import type { NewDeployment } from '../versions/service.ts'

type Builds = Pick<
  NewDeployment,
  'free_file' | 'free_size' | 'premium_file' | 'premium_size' | 'build_report'
>

/** Keeps the builds of an uploaded archive in the storage; what was uploaded is sent there once. */
export async function keptBuilds(
  { storage }: Context,
  file: Received,
  { premium, free, report }: Reading,
): Promise<Builds> {
  const fileOf = (built: Built) => (built === 'upload' ? file : built)
  for (const built of new Set([premium, free])) if (built) await storage.keep(fileOf(built))
  const paid = factsOf(premium && fileOf(premium))
  const open = factsOf(free && fileOf(free))
  return {
    free_file: open.sha256,
    free_size: open.size,
    premium_file: paid.sha256,
    premium_size: paid.size,
    build_report: report && JSON.stringify(report),
  }
}

const factsOf = (received: Received | null) => ({
  sha256: received?.sha256 ?? null,
  size: received?.size ?? null,
})
