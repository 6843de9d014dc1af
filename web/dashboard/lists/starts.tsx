import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { prefix } from '../../ui/server.ts'
import { CREATE } from '../creating.ts'
import { usePlace } from '../place.ts'
import { texts } from '../texts/texts.ts'

/** Opens the checkout of the product, that of the page by default, where a buyer makes what the list has. */
export function ToCheckout({ of }: { readonly of?: string }) {
  const place = usePlace()
  const product = of ?? place.product
  if (product === '') return null
  return (
    <Button
      component="a"
      variant="default"
      href={`${prefix}/checkout/product/${product}/`}
      target="_blank"
      rel="noreferrer"
    >
      {texts.openCheckout}
    </Button>
  )
}

/** Leads to where a license is issued by hand. */
export function ToIssuing() {
  const { account, product } = usePlace()
  const params = { account: account.developer_id, product }
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link {...props} to="/$account/$product/licenses" params={params} hash={CREATE} />
      )}
    >
      {texts.issueLicense}
    </Button>
  )
}
