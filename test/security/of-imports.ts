/** What is asked of an account about its imports. */
export const IMPORTS = [
  'keywright/create-import',
  'keywright/list-imports',
  'keywright/retrieve-import',
  'keywright/list-import-report',
  'keywright/start-import',
  'keywright/cancel-import',
  'keywright/undo-import',
] as const
