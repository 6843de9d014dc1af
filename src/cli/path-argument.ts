import { resolve } from 'node:path'
import type { Cli } from './cli.ts'

/** A path as who runs the command means it: `npm run` changes to the folder of the project, and tells from where. */
export const pathArgument = ({ env }: Cli, path: string): string => resolve(env['INIT_CWD'] ?? '.', path)
