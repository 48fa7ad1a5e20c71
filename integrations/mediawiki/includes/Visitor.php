<?php

namespace UbikChat;

use MediaWiki\Config\Config;
use MediaWiki\Permissions\Authority;
use MediaWiki\Request\WebRequest;
use Wikimedia\IPUtils;

require_once __DIR__ . '/class-names.php';

/**
 * The visitor as the service knows them: a user who is logged in, or a guest with a cookie. A temporary account, which a visitor gets with an
 * edit, is that of a guest.
 */
class Visitor {

	private const COOKIE = 'UbikChatGuest';

	/** Lifetime of the cookie in seconds. */
	private const COOKIE_LIFETIME = 180 * 86400;

	/** Length of a nonce period in seconds. A nonce is valid in the period in which it was created and in the next one, so for 12 to 24 hours. */
	private const NONCE_PERIOD = 12 * 3600;

	private Config $config;
	private WebRequest $request;
	private Authority $user;
	/** The id that `ensureGuestId` has created, which is not in the request. */
	private ?string $newGuest = null;

	public function __construct( Config $config, WebRequest $request, Authority $user ) {
		$this->config = $config;
		$this->request = $request;
		$this->user = $user;
	}

	/**
	 * The id of the visitor at the service (`external_user_id`); null for a guest when guests may not chat, and for a guest without a
	 * cookie. Ids contain an id of the wiki, so that they differ from those of other wikis with the same API key.
	 */
	public function getExternalId(): ?string {
		$wiki = substr( $this->sign( 'wiki|' . $this->getWikiName() ), 0, 16 );
		if ( $this->user->isNamed() ) {
			return "mw-$wiki-{$this->user->getUser()->getId()}";
		}
		$guest = $this->getGuest();
		return $guest !== null && $this->config->get( 'UbikChatGuests' ) ? "mw-$wiki-guest-$guest" : null;
	}

	/**
	 * Gives a guest a random id, unless there is one or guests may not chat. Scripts cannot read the cookie, and other sites cannot use it.
	 */
	public function ensureGuestId(): void {
		if ( $this->user->isNamed() || !$this->config->get( 'UbikChatGuests' ) || $this->getGuest() !== null ) {
			return;
		}
		$this->newGuest = bin2hex( random_bytes( 16 ) );
		$this->request->response()->setCookie( self::COOKIE, $this->newGuest, time() + self::COOKIE_LIFETIME, [
			'httpOnly' => true,
			'sameSite' => 'Lax',
		] );
	}

	/** A secret of the visitor that no page of another site can read. */
	public function createNonce( string $externalId ): string {
		return $this->sign( "nonce|$externalId|" . intdiv( time(), self::NONCE_PERIOD ) );
	}

	public function isValidNonce( string $nonce, string $externalId ): bool {
		$period = intdiv( time(), self::NONCE_PERIOD );
		return hash_equals( $this->sign( "nonce|$externalId|$period" ), $nonce )
			|| hash_equals( $this->sign( "nonce|$externalId|" . ( $period - 1 ) ), $nonce );
	}

	/**
	 * The name under which requests are counted: a guest could drop the cookie, therefore guests are counted by address. The addresses of one
	 * IPv6 network (its first 64 bits) count as one, because a guest may use all of them.
	 */
	public function getRateKey(): string {
		if ( $this->user->isNamed() ) {
			return "user-{$this->user->getUser()->getId()}";
		}
		$address = $this->request->getIP();
		return 'address-' . ( IPUtils::isIPv6( $address ) ? IPUtils::sanitizeRange( "$address/64" ) : $address );
	}

	/** The name of the database with its schema and prefix, in which the wikis of a family with one `$wgSecretKey` differ. */
	private function getWikiName(): string {
		return implode( '|', array_map( [ $this->config, 'get' ], [ 'DBname', 'DBmwschema', 'DBprefix' ] ) );
	}

	private function getGuest(): ?string {
		$id = $this->newGuest ?? $this->request->getCookie( self::COOKIE );
		return is_string( $id ) && preg_match( '/^[0-9a-f]{32}$/', $id ) ? $id : null;
	}

	private function sign( string $text ): string {
		return hash_hmac( 'sha256', "ubik-chat|$text", $this->config->get( 'SecretKey' ) );
	}
}
