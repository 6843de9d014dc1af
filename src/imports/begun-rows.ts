/** Of an import that nobody has worked on. */
export const NOTHING_YET = {
  state: 'running',
  kind: '',
  added: 0,
  changed: 0,
  kept: 0,
  is_dry_run: false,
  asked: null,
  file: null,
  file_name: null,
  methods_file: null,
  failures: 0,
  row_count: 0,
  same: 0,
  bad: 0,
  left_out: 0,
  aside: '[]',
  does_not_fit: '[]',
  kinds: '[]',
  reading: null,
  removed: 0,
  stayed: 0,
  error: null,
  fence: 1,
  due_at: null,
  lease_until: 0,
  finished_at: null,
} as const

/** Of an import for which nothing is left to do: neither keys nor files are kept. */
export const OVER = {
  asked: null,
  file: null,
  methods_file: null,
  reading: null,
  due_at: null,
  lease_until: 0,
} as const
