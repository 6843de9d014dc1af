import type { Writer } from '../../db/database.ts'
import type { Owner } from '../../db/scoped.ts'
import { appendTo, raiseCatalogueVersion, removeFrom, writeOrder } from './catalogue-queries.ts'

/**
 * Says that what `pricing.json` shows of the owner's product changes in this transaction, and holds the
 * product's row to its end: called first, it lets the changes of one catalogue take turns.
 */
export async function touchCatalogue(db: Writer, owner: Owner): Promise<void> {
  await raiseCatalogueVersion(db, owner)
}

/** Puts a new plan last in the product's order; a product's first plan becomes its default one. */
export async function addToPlanOrder(db: Writer, owner: Owner, planId: number): Promise<void> {
  await appendTo(db, owner, 'plans', planId)
}

/** Takes a plan out of the product's order; where it was the default, the oldest that is left is. */
export async function removeFromPlanOrder(db: Writer, owner: Owner, planId: number): Promise<void> {
  await removeFrom(db, owner, 'plans', planId)
}

/** Writes the product's order of plans, which its caller holds. */
export async function writePlanOrder(db: Writer, owner: Owner, planIds: readonly number[]): Promise<void> {
  await writeOrder(db, owner, 'plans', planIds)
}

/** Puts a new feature last in the product's order. */
export async function addToFeatureOrder(db: Writer, owner: Owner, featureId: number): Promise<void> {
  await appendTo(db, owner, 'features', featureId)
}

/** Takes a feature out of the product's order. */
export async function removeFromFeatureOrder(db: Writer, owner: Owner, featureId: number): Promise<void> {
  await removeFrom(db, owner, 'features', featureId)
}
