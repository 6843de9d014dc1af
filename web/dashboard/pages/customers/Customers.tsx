import { Button } from '@mantine/core'
import type { User } from '../../../../src/people/users/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { nameOf, Time } from '../../format.tsx'
import { useCreating } from '../../creating.ts'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import type { Column } from '../../../ui/Rows.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { AddCustomer } from './AddCustomer.tsx'

const COLUMNS: readonly Column<User>[] = [
  { label: texts.customer, show: nameOf },
  { label: texts.email, show: ({ email }) => email },
  { label: texts.since, show: ({ created }) => <Time time={created} /> },
]

const FILTERS = [
  ['paying', texts.paying],
  ['paid', texts.everPaid],
  ['never_paid', texts.neverPaid],
  ['beta', texts.beta],
] as const

/** What brings a row. */
const NEWS = ['user.created']

export function Customers() {
  const { path, wayTo } = usePlace()
  const [isAdding, setAdding] = useCreating('customers')
  return (
    <>
      <List<User>
        title={texts.customers}
        about={texts.customersAbout}
        path={`${path}/users.json`}
        items="users"
        search={texts.searchCustomers}
        filters={FILTERS}
        hasSpan
        sorts={BY_AGE}
        columns={COLUMNS}
        wayTo={({ id }) => wayTo('user', id)}
        news={NEWS}
        bulk={{ kind: 'users', group: 'customers', isAlone: true }}
        making={{ body: { email: 'ada@example.com', name: 'Ada Lovelace' } }}
        create={
          <Allowed group="customers">
            {(barred) => (
              <Button {...barred} onClick={() => setAdding(true)}>
                {texts.addCustomer}
              </Button>
            )}
          </Allowed>
        }
        empty={[texts.noCustomers, texts.noCustomersMore]}
      />
      {isAdding ? <AddCustomer close={() => setAdding(false)} /> : null}
    </>
  )
}
