import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../cli.ts'

/** Where programs of this system keep what a person has set: `keywright` below it is ours. */
export function configFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] || homedir()
  const usual =
    platform === 'win32' ? env['APPDATA'] || join(home, 'AppData', 'Roaming') : join(home, '.config')
  const told = env['XDG_CONFIG_HOME'] ?? ''
  return join(isAbsolute(told) ? told : usual, 'keywright')
}
