import type { Commands } from './program.ts'

/** Every command, one file each; only the one that is called is loaded. */
export const commands: Commands = {
  serve: () => import('./serve.ts'),
  worker: () => import('./worker.ts'),
  migrate: () => import('./migrate.ts'),
  bootstrap: () => import('./bootstrap.ts'),
  demo: () => import('./demo.ts'),
  token: () => import('./token.ts'),
  keys: () => import('./keys.ts'),
  secret: () => import('./secret.ts'),
  doctor: () => import('./doctor.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  ledger: () => import('./ledger.ts'),
  charges: () => import('./charges.ts'),
  jobs: () => import('./jobs.ts'),
  password: () => import('./set-password.ts'),
  'login-link': () => import('./login-link.ts'),
  renewals: () => import('./renewals.ts'),
  user: () => import('./user.ts'),
  clock: () => import('./clock.ts'),
  deploy: () => import('./deploy.ts'),
  mail: () => import('./mail.ts'),
  webhook: () => import('./webhook.ts'),
  listen: () => import('./listen.ts'),
}
