/** All that an account has, as a file. */
export const en = {
  title: 'The whole account',
  about:
    'Everything in this account, in files that another server can import: products, customers, licenses, payments, with their ids and keys.',
  export: 'Export the account',
  again: 'Export it again',
  none: 'There is no export of the account yet.',
  noneMore: 'Export it to move to another server, or to keep a copy. You can go on working meanwhile.',
  ownerOnly: 'Only the owner of the account can export all of it.',
  exportMore:
    'It is written beside your work, and says what there was at one moment. The file is there for 24 hours; a newer one takes its place.',
  keys: 'The file has keys and tokens in clear. Keep it as you keep passwords, and delete it when you have moved.',
  format: 'Files in it',
  jsonl: 'JSON lines',
  csv: 'CSV, for spreadsheets too',
  soFar: '{rows} rows so far',
  waits: 'It begins in a moment.',
  packing: '{rows} rows are written, and are being packed.',
  mayLeave: 'You can leave this page: it goes on.',
  written: '{rows} rows, {size}.',
  failed: 'The export failed: {why}',
  expired: 'The last file is gone. It had {rows} rows.',
  asked: 'Asked for',
  until: 'There until',
  download: 'Download',
  downloadTitle: 'Download the account',
  show: 'Continue',
  ready: 'The file is ready',
  works: 'The link ends {time}. Until then whoever has it can download the file.',
  open: 'Show',
  openOf: 'Show the export of the account #{id}',
  imports: 'Bring it into another server',
  importsMore:
    'There, open Imports and upload the file. A file of more than 512 MB is brought in by whoever runs that server.',
}

export type WholeTexts = typeof en
