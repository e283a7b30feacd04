/* SPDX-License-Identifier: Apache-2.0 */

import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * Java's own provider for PKCS#11 with a token.
 *
 * <pre>
 * Token CONFIGURATION PIN keys          signs and decrypts, and lets Java's software check it
 * Token CONFIGURATION PIN serve PORT    serves TLS on 127.0.0.1
 * </pre>
 */
public final class Token {
    private static final byte[] MESSAGE = "A message.".getBytes(StandardCharsets.UTF_8);

    private Token() {}

    public static void main(String[] words) throws Exception {
        Provider provider = Security.getProvider("SunPKCS11").configure(words[0]);
        Security.addProvider(provider);
        KeyStore store = KeyStore.getInstance("PKCS11", provider);
        store.load(null, words[1].toCharArray());
        if (words[2].equals("keys")) {
            PrivateKey key = (PrivateKey) store.getKey("web", null);
            PublicKey known = store.getCertificate("web").getPublicKey();
            sign(provider, key, known, "SHA256withRSA", null);
            PSSParameterSpec pss =
                    new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);
            sign(provider, key, known, "RSASSA-PSS", pss);
            decrypt(provider, key, known);
        } else {
            serve(store, Integer.parseInt(words[3]));
        }
    }

    private static void sign(
            Provider provider, PrivateKey key, PublicKey known, String name, PSSParameterSpec pss)
            throws Exception {
        Signature signer = Signature.getInstance(name, provider);
        Signature verifier = Signature.getInstance(name, "SunRsaSign");
        if (pss != null) {
            signer.setParameter(pss);
            verifier.setParameter(pss);
        }
        signer.initSign(key);
        signer.update(MESSAGE);
        byte[] signature = signer.sign();
        verifier.initVerify(known);
        verifier.update(MESSAGE);
        System.out.println(name + " " + verifier.verify(signature));
    }

    private static void decrypt(Provider provider, PrivateKey key, PublicKey known)
            throws Exception {
        Cipher software = Cipher.getInstance("RSA/ECB/PKCS1Padding", "SunJCE");
        software.init(Cipher.ENCRYPT_MODE, known);
        byte[] encrypted = software.doFinal(MESSAGE);
        Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding", provider);
        cipher.init(Cipher.DECRYPT_MODE, key);
        System.out.println("decrypted " + Arrays.equals(MESSAGE, cipher.doFinal(encrypted)));
    }

    private static void serve(KeyStore store, int port) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, null);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        InetAddress here = InetAddress.getByName("127.0.0.1");
        SSLServerSocket server =
                (SSLServerSocket)
                        context.getServerSocketFactory().createServerSocket(port, 5, here);
        System.out.println("serves");
        while (true) {
            try (SSLSocket client = (SSLSocket) server.accept()) {
                InputStream asked = client.getInputStream();
                asked.read(new byte[4096]);
                String answer = "HTTP/1.0 200 OK\r\n\r\n" + client.getSession().getProtocol();
                client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
