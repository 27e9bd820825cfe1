# A static binary, certificates and nothing else. Reviewed, but not built where it
# was written: there is no container engine.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
ARG COMMIT=unknown
RUN CGO_ENABLED=0 go build -trimpath \
    -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT}" \
    -o /autocdc ./cmd/autocdc

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /autocdc /autocdc
# autocdc.yaml and flow files are looked for here.
WORKDIR /etc/autocdc
USER 65532:65532
ENTRYPOINT ["/autocdc"]
CMD ["--help"]
