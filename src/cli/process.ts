import type { Config } from '../config.ts'
import { startWorker } from '../jobs/worker.ts'
import { openKeyring, watchSecretFile } from '../secret.ts'
import { openContext, type ProcessContext } from '../open.ts'
import { followSandboxes } from '../catalogue/sandbox/learn.ts'
import type { Cli } from './cli.ts'
import { openProcessLog } from './process-log.ts'
import { stopSignal } from './stop-signal.ts'

export interface Process {
  readonly ctx: ProcessContext
  /** Undone last to first when the process stops. */
  readonly closing: AsyncDisposableStack
  /** Call it before saying that the process is up; resolves when somebody asks it to stop. */
  untilStopped(): Promise<void>
}

/** Opens what `serve` and `worker` share: log, database and secret, which they follow when it is rotated. */
export async function openProcess(cli: Cli, config: Config, closing: AsyncDisposableStack): Promise<Process> {
  const { log, flush } = openProcessLog(config, cli.json)
  closing.defer(flush)
  const ctx = await openContext(config, log)
  closing.defer(() => ctx.database.close())
  closing.defer(followSandboxes(ctx))
  if (!config.secret) closing.defer(followSecret(ctx))
  // npm runs us in a shell, which a SIGTERM to npm ends without reaching us.
  const asParentEnds = cli.env['npm_lifecycle_event'] !== undefined
  const untilStopped = async () => {
    const signal = await stopSignal(flush, { asParentEnds })
    log.info({ signal }, 'stopping')
  }
  return { ctx, closing, untilStopped }
}

/** Runs the jobs beside whatever else the process does. */
export function runJobs({ ctx, closing }: Process): void {
  const worker = startWorker(ctx)
  ctx.settle({ nudge: () => worker.nudge() })
  closing.defer(() => worker.stop())
}

function followSecret(ctx: ProcessContext): () => void {
  return watchSecretFile(ctx.config, () => {
    openKeyring(ctx.config).then(
      (keys) => {
        ctx.settle({ keys })
        ctx.log.info({ kid: keys.currentKid }, 'the secret was changed')
      },
      (error: unknown) => ctx.log.error({ err: error }, 'the secret could not be read again'),
    )
  })
}
