import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import type { Mail } from '../../../../src/catalogue/mails/schema.ts'
import { State, Time } from '../../format.tsx'
import { ToIssuing } from '../../lists/starts.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace, type ListSearch } from '../../place.ts'
import { mailName, mailTexts as words } from '../../texts/of-mails.ts'
import { texts } from '../../texts/texts.ts'

const STATES = ['failed', 'pending', 'sent'] as const
const TONES = { failed: 'bad', pending: 'warning', sent: 'good' } as const

export const MailState = ({ state }: Pick<Mail, 'state'>) => (
  <State word={words.states[state]} tone={TONES[state]} />
)

const COLUMNS: readonly Column<Mail>[] = [
  { label: words.mail, show: ({ kind }) => mailName(kind) },
  { label: texts.state, show: MailState },
  { label: words.to, show: ({ email }) => email },
  { label: words.created, show: ({ created }) => <Time time={created} /> },
  { label: words.error, show: ({ error }) => error ?? texts.none },
]

/** What is mailed about the product, newest first. */
export function Mails() {
  const { account, product, path, environment } = usePlace()
  const { q, filter } = useSearch({ strict: false }) as ListSearch
  const of = { account: account.developer_id, product }
  return (
    <List<Mail>
      title={texts.mails}
      about={words.about}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/$account/$product/mail-texts" params={of} />}
        >
          {words.ownTexts}
        </Button>
      }
      path={`${path}/mails.json`}
      items="mails"
      query={{
        environment,
        search: undefined,
        user_id: q !== undefined && /^[1-9]\d*$/.test(q) ? q : undefined,
        filter: undefined,
        state: filter,
      }}
      filters={STATES.map((state) => [state, words.states[state]])}
      search={words.ofCustomer}
      hasSpan
      sorts={BY_AGE}
      columns={COLUMNS}
      wayTo={({ id }) => ({ to: '/$account/$product/mails/$mail', params: { ...of, mail: id } })}
      making={{ path: `${path}/licenses/$LICENSE/resend.json` }}
      start={<ToIssuing />}
      empty={[words.none, words.noneMore]}
    />
  )
}
