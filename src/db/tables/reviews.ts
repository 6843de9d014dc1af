import type { REVIEW } from '../../catalogue/reviews/review.entity.ts'
import type { ColumnsOf } from './columns.ts'

export interface ReviewsTable extends ColumnsOf<(typeof REVIEW)['fields']> {}
