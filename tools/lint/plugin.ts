import { noSystemTime } from './clock.ts'
import { noDialect } from './dialect.ts'
import {
  importLayers,
  pagesImportTypes,
  queriesInTheirFiles,
  schemasByType,
  scopedQueries,
  servedByOperations,
} from './rules.ts'

/** Our own rules for oxlint, which takes a plugin from a default export. */
export default {
  meta: { name: 'keywright' },
  rules: {
    'import-layers': importLayers,
    'queries-in-their-files': queriesInTheirFiles,
    'schemas-by-type': schemasByType,
    'scoped-queries': scopedQueries,
    'served-by-operations': servedByOperations,
    'pages-import-types': pagesImportTypes,
    'no-dialect': noDialect,
    'no-system-time': noSystemTime,
  },
}
