"""TLS: certificates for every served host, made on demand by an authority that exists as long as the proxy."""

import ssl

import trustme

ORGANIZATION, UNIT = "Longtrail", "Stands in for the host named; not affiliated with it"
"""The organisation named in certificates."""
OUTSIDE = "outside.invalid"
"""The certificate's name for refusals; browsers are told to ignore certificate errors."""


class Certificates:
    """One authority, and one certificate per host (about 2 ms each, on first use)."""

    def __init__(self) -> None:
        self._authority = trustme.CA(organization_name=ORGANIZATION, organization_unit_name="Sealed web")
        self._contexts: dict[str, ssl.SSLContext] = {}

    @property
    def authority_pem(self) -> bytes:
        """The authority's certificate, for clients that verify."""
        return self._authority.cert_pem.bytes()

    def context(self, host: str) -> ssl.SSLContext:
        """The server's TLS settings for a host; HTTP/1.1 only."""
        if host not in self._contexts:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.set_alpn_protocols(["http/1.1"])
            certificate = self._authority.issue_cert(host, organization_name=ORGANIZATION, organization_unit_name=UNIT)
            certificate.configure_cert(context)
            self._contexts[host] = context
        return self._contexts[host]
