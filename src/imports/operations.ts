import type { Operation } from '../http/other-replies.ts'
import { importOperations } from './asked/routes.ts'

/**
 * An account that moves: what its owner asks the server to bring into it, out of files or of another server. The command
 * line does the same by the same functions.
 */
export const importsOperations: readonly Operation[] = importOperations
