import type { MailTemplate } from '../../../../src/catalogue/mails/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { fill } from '../../../shared/language.ts'
import { State } from '../../format.tsx'
import { ApiCall, Failure, PageHead } from '../../parts.tsx'
import { Loading } from '../../../ui/parts.tsx'
import { Rows, type Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { ask } from '../../../ui/server.ts'
import { mailName, mailTexts as words } from '../../texts/of-mails.ts'
import { LANGUAGES } from './languages.ts'

type Row = MailTemplate & { readonly id: string }

const COLUMNS: readonly Column<Row>[] = [
  { label: words.name, show: ({ name }) => mailName(name) },
  {
    label: words.inUse,
    show: ({ own_languages: own }) =>
      own.length === 0 ? (
        <span className="muted">{words.builtIn}</span>
      ) : (
        <State word={fill(words.ownIn, { languages: namesOf(own) })} tone="good" />
      ),
  },
]

const namesOf = (own: readonly string[]): string =>
  LANGUAGES.filter((one) => own.includes(one))
    .map((one) => words.languages[one])
    .join(', ')

/** The mails to customers, each with whose words it has. */
export function MailTexts() {
  const { account, product, path: base } = usePlace()
  const path = `${base}/mail_templates.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<{ mail_templates: readonly MailTemplate[] }>(path),
  })
  return (
    <>
      <PageHead title={words.ownTexts} about={words.textsAbout} />
      {error ? (
        <Failure error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={8} />
      ) : (
        <Rows<Row>
          label={words.ownTexts}
          columns={COLUMNS}
          rows={data.mail_templates.map((one) => ({ ...one, id: one.name }))}
          wayTo={({ name }) => ({
            to: '/$account/$product/mail-texts/$template',
            params: { account: account.developer_id, product, template: name },
          })}
        />
      )}
      <ApiCall path={path} />
    </>
  )
}
