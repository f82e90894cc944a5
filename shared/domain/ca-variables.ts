/** Where a build or a sandbox finds the host's certificate authorities. */
export const caMountPoint = '/run/paddock/ca.crt'

/** Variables by which programs are told of a CA bundle. A Containerfile that declares one as ARG gets it in its RUN steps. */
export const caVariables = ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO'] as const
