import { nouns } from './client/nouns.ts'
import type { Commands } from './program.ts'

/** What is done on the machine of a server, with its database and its files. */
const ofServer: Commands = {
  serve: () => import('./serve.ts'),
  worker: () => import('./worker.ts'),
  migrate: () => import('./migrate.ts'),
  bootstrap: () => import('./bootstrap.ts'),
  demo: () => import('./demo.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
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

/** What is done to a server by its address, as its interface is called. */
const ofClient: Commands = {
  login: () => import('./login.ts'),
  logout: () => import('./logout.ts'),
  whoami: () => import('./whoami.ts'),
  profiles: () => import('./profiles.ts'),
  api: () => import('./api.ts'),
  trigger: () => import('./trigger.ts'),
  completion: () => import('./completion.ts'),
}

const ofNouns: Commands = {
  ...Object.fromEntries(
    Object.keys(nouns).map((noun) => [
      noun,
      async () => ({ command: (await import('./client/noun-command.ts')).nounCommand(noun) }),
    ]),
  ),
  // The noun, and its tail.
  events: () => import('./events.ts'),
}

/** Every command, one file each, and the nouns of the interface; only the one that is called is loaded. */
export const commands: Commands = named([ofServer, ofClient, ofNouns])

/** By name; one that two would have is an error, as either would hide the other. */
function named(groups: readonly Commands[]): Commands {
  const entries = groups.flatMap((group) => Object.entries(group))
  const twice = entries.find(([name], at) => entries.findIndex(([other]) => other === name) !== at)
  if (twice) throw new Error(`Two commands are called ${twice[0]}.`)
  return Object.fromEntries(entries)
}
