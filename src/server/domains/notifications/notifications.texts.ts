/** Sentences about webhooks and deliveries that a person reads. */
export const texts = {
  noWebhook: (id: number) => `There is no webhook ${id}. Reload the page.`,
  tooManyWebhooks: (limit: number) =>
    `There are already ${limit} webhooks. Delete one that is no longer needed.`,
  disabled: 'The webhook is disabled. Enable it first.',
  invalid: (problems: string) => `The webhook can't be saved: ${problems}`,
  insecure:
    'must start with https://; to allow http:// and private addresses, change the setting “Private addresses of webhooks”',
  privateUrl: (address: string) =>
    `${address} is a private address; to allow those, change the setting “Private addresses of webhooks”`,

  noMailServer: 'E-mail is not set up. Ask an administrator to set it up in Settings, under “Notifications”.',
  noAddress: 'You have no address. Save one first.',
  wrongCode: 'This code is wrong or has expired. Send a new one and enter it within an hour.',
  tooManyCodes: (limit: number) => `You can send ${limit} codes in 24 hours. Try again tomorrow.`,

  problem: {
    private: (host: string, address: string) =>
      `${host} is ${address}, a private address. To allow those, change the setting “Private addresses of webhooks”.`,
    insecure:
      'The URL does not start with https://. Change it, or the setting “Private addresses of webhooks”.',
    unreadableSecret:
      'The secret can no longer be decrypted, because the signing key has changed. Create a new secret.',
    slow: (seconds: number) => `No complete answer within ${seconds} s.`,
    unreachable: (reason: string) => `No connection: ${reason}.`,
    redirect: (target: string) => `It redirects to ${target}. Redirects are not followed: change the URL.`,
    queueFull: (limit: number) => `Not sent: ${limit} deliveries were already waiting.`,
    disabled: 'Not sent: the webhook was disabled.',
    noPassword:
      'The mail password file has more than one line, or is too long. It must contain only the password.',
    noAddress: 'Not sent: the person changed or removed the address.',
    noRole: 'Not sent: the person no longer has the role for it.',
    noMailServer: 'E-mail is no longer set up: the mail server or the sender is missing in the settings.',
  },
} as const
