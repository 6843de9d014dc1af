import type { AnyOperation } from '../http/operation.ts'

/** The operation with an id, which a module above has listed; undefined where there is none. */
export type OperationById = (id: string) => AnyOperation | undefined
