import type { ReportLine } from '../../../../src/imports/asked/schema.ts'
import { ask } from '../../../ui/server.ts'

const PAGE = 50
const COLUMNS = ['file', 'line', 'kind', 'key', 'field', 'code', 'message'] as const

/** Hands all of a report to the browser as a file of CSV. */
export async function downloadReport(id: string, path: string): Promise<void> {
  const lines: ReportLine[] = []
  for (let offset = 0; offset === lines.length; offset += PAGE) {
    const { report } = await ask<{ readonly report: readonly ReportLine[] }>(`${path}/report.json`, {
      count: PAGE,
      offset,
    })
    lines.push(...report)
  }
  const text = [
    COLUMNS.join(','),
    ...lines.map((line) => COLUMNS.map((name) => cellOf(line[name])).join(',')),
  ]
  const address = URL.createObjectURL(new Blob([`\uFEFF${text.join('\r\n')}\r\n`], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `import-${id}-report.csv`
  link.click()
  URL.revokeObjectURL(address)
}

/** A spreadsheet takes no text for a formula. */
function cellOf(value: string | number | null): string {
  const text = String(value ?? '')
  const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
