import { argv, env } from 'node:process'
import { run, type Commands } from './cli/program.ts'

/** Every command, one file each; only the one that is called is loaded. */
const commands: Commands = {
  serve: () => import('./cli/serve.ts'),
  worker: () => import('./cli/worker.ts'),
  migrate: () => import('./cli/migrate.ts'),
  bootstrap: () => import('./cli/bootstrap.ts'),
  demo: () => import('./cli/demo.ts'),
  token: () => import('./cli/token.ts'),
  secret: () => import('./cli/secret.ts'),
  doctor: () => import('./cli/doctor.ts'),
  backup: () => import('./cli/backup.ts'),
  restore: () => import('./cli/restore.ts'),
  ledger: () => import('./cli/ledger.ts'),
  clock: () => import('./cli/clock.ts'),
  deploy: () => import('./cli/deploy.ts'),
  mail: () => import('./cli/mail.ts'),
  webhook: () => import('./cli/webhook.ts'),
  listen: () => import('./cli/listen.ts'),
}

process.exitCode = await run(commands, argv.slice(2), env)
